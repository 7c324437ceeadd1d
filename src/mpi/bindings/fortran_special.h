/* Calls whose arguments are not those of C. Included once for the calls of MPI and once for those
 * of the profiling interface: CALL is the name of a call in C, FORTRAN in Fortran. */

void FORTRAN(init)(int* ierror) {
  answer(ierror, CALL(Init)(NULL, NULL));
}
void FORTRAN(init_thread)(int* required, int* provided, int* ierror) {
  answer(ierror, CALL(Init_thread)(NULL, NULL, *required, provided));
}
void FORTRAN(pcontrol)(int* level) {
  CALL(Pcontrol)(*level);
}
void FORTRAN(info_create_env)(int* info, int* ierror) {
  answer(ierror, CALL(Info_create_env)(0, NULL, info));
}

/* Texts whose length the program says. */
void FORTRAN(info_get)(int* info, char* key, int* valuelen, char* value, int* flag, int* ierror,
                       size_t key_length, size_t value_length) {
  char* key_c = trimmed_text(key, key_length);
  char* value_c = malloc((size_t)(*valuelen < 0 ? 0 : *valuelen) + 1);
  const int result = CALL(Info_get)(*info, key_c, *valuelen, value_c, flag);
  if (result == MPI_SUCCESS && *flag) fill(value, value_length, value_c);
  free(key_c);
  free(value_c);
  answer(ierror, result);
}
void FORTRAN(info_get_string)(int* info, char* key, int* buflen, char* value, int* flag,
                              int* ierror, size_t key_length, size_t value_length) {
  char* key_c = trimmed_text(key, key_length);
  int size = *buflen > 0 ? *buflen + 1 : 0;
  char* value_c = malloc((size_t)size + 1);
  const int result = CALL(Info_get_string)(*info, key_c, &size, value_c, flag);
  if (result == MPI_SUCCESS && *flag && *buflen > 0) fill(value, value_length, value_c);
  if (result == MPI_SUCCESS && *flag) *buflen = size - 1;
  free(key_c);
  free(value_c);
  answer(ierror, result);
}
void FORTRAN(session_get_nth_pset)(int* session, int* info, int* n, int* pset_len, char* name,
                                   int* ierror, size_t name_length) {
  int size = *pset_len > 0 ? *pset_len + 1 : 0;
  char* name_c = malloc((size_t)size + 1);
  const int result = CALL(Session_get_nth_pset)(*session, *info, *n, &size, name_c);
  if (result == MPI_SUCCESS && *pset_len > 0) fill(name, name_length, name_c);
  if (result == MPI_SUCCESS) *pset_len = size - 1;
  free(name_c);
  answer(ierror, result);
}

/* Before mpi_f08, the buffer is not given back. */
void FORTRAN(buffer_detach)(void* buffer_addr, int* size, int* ierror) {
  void* ignored;
  (void)buffer_addr;
  answer(ierror, CALL(Buffer_detach)(&ignored, size));
}
void FORTRAN(buffer_detach_f08)(void** buffer_addr, int* size, int* ierror) {
  answer(ierror, CALL(Buffer_detach)(buffer_addr, size));
}
void FORTRAN(buffer_detach_c)(void** buffer_addr, MPI_Count* size, int* ierror) {
  answer(ierror, CALL(Buffer_detach_c)(buffer_addr, size));
}

/* Attributes. */
#define HEDDLE_ATTRIBUTES(object, Object)                                                          \
  void FORTRAN(object##_create_keyval)(Fortran_copy * copy, Fortran_delete * destroy, int* keyval, \
                                       MPI_Aint* extra, int* ierror) {                             \
    answer(ierror, CALL(Object##_create_keyval)(heddle_copy_attribute, heddle_delete_attribute,    \
                                                keyval, fortran_keyval(copy, destroy, *extra)));   \
  }                                                                                                \
  void FORTRAN(object##_set_attr)(int* handle, int* keyval, MPI_Aint* value, int* ierror) {        \
    answer(ierror,                                                                                 \
           CALL(Object##_set_attr)(*handle, *keyval, heddle_attribute_from_fortran(*value)));      \
  }                                                                                                \
  void FORTRAN(object##_get_attr)(int* handle, int* keyval, MPI_Aint* value, int* flag,            \
                                  int* ierror) {                                                   \
    void* found;                                                                                   \
    const int result =                                                                             \
        CALL(Object##_get_attr)(*handle, heddle_keyval_in_c(*keyval), &found, flag);               \
    if (result == MPI_SUCCESS && *flag) *value = heddle_attribute_to_fortran(*keyval, found);      \
    answer(ierror, result);                                                                        \
  }
#ifndef HEDDLE_KEYVAL_IN_C
#define HEDDLE_KEYVAL_IN_C
/* Keys of predefined attributes are one more in Fortran. */
static int heddle_keyval_in_c(int keyval) {
  const int predefined = (keyval & ~0xff) == 0x64400000 || (keyval & ~0xff) == 0x66000000;
  return predefined && keyval % 2 == 0 ? keyval - 1 : keyval;
}
#endif
HEDDLE_ATTRIBUTES(comm, Comm)
HEDDLE_ATTRIBUTES(type, Type)
HEDDLE_ATTRIBUTES(win, Win)
#undef HEDDLE_ATTRIBUTES

void FORTRAN(keyval_create)(Short_copy* copy, Short_delete* destroy, int* keyval, int* extra,
                            int* ierror) {
  struct Short_keyval* state = malloc(sizeof *state);
  *state = (struct Short_keyval){copy, destroy, *extra};
  answer(ierror, CALL(Keyval_create)(heddle_copy_short_attribute, heddle_delete_short_attribute,
                                     keyval, state));
}
void FORTRAN(attr_put)(int* comm, int* keyval, int* value, int* ierror) {
  answer(ierror, CALL(Attr_put)(*comm, *keyval, heddle_attribute_from_fortran(*value)));
}
void FORTRAN(attr_get)(int* comm, int* keyval, int* value, int* flag, int* ierror) {
  void* found;
  const int result = CALL(Attr_get)(*comm, heddle_keyval_in_c(*keyval), &found, flag);
  if (result == MPI_SUCCESS && *flag) *value = (int)heddle_attribute_to_fortran(*keyval, found);
  answer(ierror, result);
}

/* Functions of the program's: those of operations and most error handlers are called in Fortran as
 * they are in C. */
void FORTRAN(op_create)(MPI_User_function* function, int* commute, int* op, int* ierror) {
  answer(ierror, CALL(Op_create)(function, *commute, op));
}
void FORTRAN(op_create_c)(MPI_User_function_c* function, int* commute, int* op, int* ierror) {
  answer(ierror, CALL(Op_create_c)(function, *commute, op));
}
void FORTRAN(comm_create_errhandler)(MPI_Comm_errhandler_function* function, int* handler,
                                     int* ierror) {
  answer(ierror, CALL(Comm_create_errhandler)(function, handler));
}
void FORTRAN(errhandler_create)(MPI_Comm_errhandler_function* function, int* handler, int* ierror) {
  answer(ierror, CALL(Errhandler_create)(function, handler));
}
void FORTRAN(win_create_errhandler)(MPI_Win_errhandler_function* function, int* handler,
                                    int* ierror) {
  answer(ierror, CALL(Win_create_errhandler)(function, handler));
}
void FORTRAN(session_create_errhandler)(MPI_Session_errhandler_function* function, int* handler,
                                        int* ierror) {
  answer(ierror, CALL(Session_create_errhandler)(function, handler));
}
void FORTRAN(file_create_errhandler)(Fortran_file_errhandler* function, int* handler, int* ierror) {
  MPI_File_errhandler_function* c_function = heddle_file_errhandler(function);
  answer(ierror, c_function ? CALL(File_create_errhandler)(c_function, handler) : MPI_ERR_NO_MEM);
}
void FORTRAN(grequest_start)(void (*query)(MPI_Aint*, MPI_Status*, int*),
                             void (*release)(MPI_Aint*, int*),
                             void (*cancel)(MPI_Aint*, int*, int*), MPI_Aint* extra, int* request,
                             int* ierror) {
  struct Fortran_request* state = malloc(sizeof *state);
  *state = (struct Fortran_request){query, release, cancel, extra};
  answer(ierror, CALL(Grequest_start)(heddle_query_request, heddle_free_request,
                                      heddle_cancel_request, state, request));
}
void FORTRAN(register_datarep)(char* name, Fortran_conversion* read, Fortran_conversion* write,
                               Fortran_extent* extent, MPI_Aint* extra, int* ierror,
                               size_t name_length) {
  struct Fortran_representation* state = malloc(sizeof *state);
  *state = (struct Fortran_representation){read, write, extent, *extra};
  char* name_c = text(name, name_length);
  const int result = CALL(Register_datarep)(
      name_c, read == mpi_conversion_fn_null_ ? MPI_CONVERSION_FN_NULL : heddle_read_conversion,
      write == mpi_conversion_fn_null_ ? MPI_CONVERSION_FN_NULL : heddle_write_conversion,
      heddle_file_extent, state);
  free(name_c);
  answer(ierror, result);
}
void FORTRAN(register_datarep_c)(char* name, Fortran_large_conversion* read,
                                 Fortran_large_conversion* write, Fortran_extent* extent,
                                 MPI_Aint* extra, int* ierror, size_t name_length) {
  struct Fortran_representation* state = malloc(sizeof *state);
  *state = (struct Fortran_representation){(Fortran_conversion*)(void*)read,
                                           (Fortran_conversion*)(void*)write, extent, *extra};
  char* name_c = text(name, name_length);
  const int result = CALL(Register_datarep_c)(
      name_c,
      read == mpi_conversion_fn_null_c_ ? MPI_CONVERSION_FN_NULL_C : heddle_large_read_conversion,
      write == mpi_conversion_fn_null_c_ ? MPI_CONVERSION_FN_NULL_C : heddle_large_write_conversion,
      heddle_file_extent, state);
  free(name_c);
  answer(ierror, result);
}

/* Lists of texts. */
void FORTRAN(comm_spawn)(char* command, char* argv, int* maxprocs, int* info, int* root, int* comm,
                         int* intercomm, int* errcodes, int* ierror, size_t command_length,
                         size_t argv_length) {
  char* command_c = text(command, command_length);
  char** argv_c = argv == mpiprivc_.argv_null ? MPI_ARGV_NULL : heddle_argv(argv, argv_length, 1);
  const int result = CALL(Comm_spawn)(command_c, argv_c, *maxprocs, *info, *root, *comm, intercomm,
                                      error_codes(errcodes));
  free(command_c);
  heddle_free_argv(argv_c);
  answer(ierror, result);
}
void FORTRAN(comm_spawn_multiple)(int* count, char* commands, char* argvs, int* maxprocs,
                                  int* infos, int* root, int* comm, int* intercomm, int* errcodes,
                                  int* ierror, size_t command_length, size_t argv_length) {
  const size_t number = (size_t)*count;
  const int has_argvs = argvs != mpiprivc_.argvs_null;
  char** commands_c = malloc(number * sizeof(char*));
  char*** argvs_c = malloc(number * sizeof(char**));
  for (size_t i = 0; i < number; ++i) {
    commands_c[i] = text(commands + i * command_length, command_length);
    argvs_c[i] = has_argvs ? heddle_argv(argvs + i * argv_length, argv_length, number) : NULL;
  }
  const int result =
      CALL(Comm_spawn_multiple)(*count, commands_c, has_argvs ? argvs_c : MPI_ARGVS_NULL, maxprocs,
                                infos, *root, *comm, intercomm, error_codes(errcodes));
  for (size_t i = 0; i < number; ++i) {
    free(commands_c[i]);
    heddle_free_argv(argvs_c[i]);
  }
  free(commands_c);
  free(argvs_c);
  answer(ierror, result);
}

/* Statuses: all forms are alike. */
void FORTRAN(status_f082f)(MPI_F08_status* from, int* to, int* ierror) {
  memcpy(to, from, sizeof *from);
  answer(ierror, MPI_SUCCESS);
}
void FORTRAN(status_f2f08)(int* from, MPI_F08_status* to, int* ierror) {
  memcpy(to, from, sizeof *to);
  answer(ierror, MPI_SUCCESS);
}

/* Calls of MPI 1, where an address is an integer. */
void FORTRAN(address)(void* location, int* address, int* ierror) {
  MPI_Aint long_address;
  const int result = CALL(Get_address)(buffer_of(location), &long_address);
  *address = (int)long_address;
  answer(ierror, result);
}
#define HEDDLE_SHORT(call, c_call)                         \
  void FORTRAN(call)(int* type, int* value, int* ierror) { \
    MPI_Aint long_value = 0;                               \
    const int result = CALL(c_call)(*type, &long_value);   \
    *value = (int)long_value;                              \
    answer(ierror, result);                                \
  }
HEDDLE_SHORT(type_extent, Type_extent)
HEDDLE_SHORT(type_lb, Type_lb)
HEDDLE_SHORT(type_ub, Type_ub)
#undef HEDDLE_SHORT
void FORTRAN(type_hvector)(int* count, int* blocklength, int* stride, int* oldtype, int* newtype,
                           int* ierror) {
  answer(ierror, CALL(Type_hvector)(*count, *blocklength, *stride, *oldtype, newtype));
}
void FORTRAN(type_hindexed)(int* count, int* blocklengths, int* displacements, int* oldtype,
                            int* newtype, int* ierror) {
  MPI_Aint* addresses = heddle_long_addresses(displacements, *count);
  answer(ierror, CALL(Type_hindexed)(*count, blocklengths, addresses, *oldtype, newtype));
  free(addresses);
}
void FORTRAN(type_struct)(int* count, int* blocklengths, int* displacements, int* types,
                          int* newtype, int* ierror) {
  MPI_Aint* addresses = heddle_long_addresses(displacements, *count);
  answer(ierror, CALL(Type_struct)(*count, blocklengths, addresses, types, newtype));
  free(addresses);
}
