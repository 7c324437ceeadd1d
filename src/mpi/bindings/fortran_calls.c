#include "fortran_calls.h"

#include <stdio.h>
#include <unistd.h>

/* The variables, where neither the program nor a library of it has them. */
__attribute__((aligned(16))) __typeof__(mpipriv1_) mpipriv1_;
__attribute__((aligned(16))) __typeof__(mpipriv2_) mpipriv2_;
__attribute__((aligned(16))) __typeof__(mpiprivc_) mpiprivc_;
__attribute__((aligned(16))) __typeof__(mpifcmb5_) mpifcmb5_;
__attribute__((aligned(16))) __typeof__(mpifcmb9_) mpifcmb9_;
MPI_Fint* MPI_F_STATUS_IGNORE = mpipriv1_.status_ignore;
MPI_Fint* MPI_F_STATUSES_IGNORE = mpipriv2_.statuses_ignore;
MPI_F08_status* MPI_F08_STATUS_IGNORE = (MPI_F08_status*)mpipriv1_.status_ignore;
MPI_F08_status* MPI_F08_STATUSES_IGNORE = (MPI_F08_status*)mpipriv2_.statuses_ignore;

/* Attributes that Fortran has set: C finds the address of the number, Fortran the number. Few
 * programs have more than a handful. */
struct Cell {
  MPI_Aint value;
  struct Cell* next;
};
static struct Cell* cells;

static struct Cell** place_of(const void* value) {
  struct Cell** place = &cells;
  while (*place && &(*place)->value != value) place = &(*place)->next;
  return place;
}

void* heddle_attribute_from_fortran(MPI_Aint value) {
  struct Cell* cell = malloc(sizeof *cell);
  *cell = (struct Cell){value, cells};
  cells = cell;
  return &cell->value;
}

void heddle_attribute_forget(void* value) {
  struct Cell** place = place_of(value);
  struct Cell* cell = *place;
  if (cell) *place = cell->next;
  free(cell);
}

/* Of predefined attributes, C finds the address of an int, or for a window's size and place the
 * address of an MPI_Aint and the place itself. */
static MPI_Aint predefined_value(int keyval, void* value) {
  if (keyval == MPI_WIN_BASE + 1) return (MPI_Aint)value;
  return keyval == MPI_WIN_SIZE + 1 ? *(MPI_Aint*)value : *(int*)value;
}

MPI_Aint heddle_attribute_to_fortran(int keyval, void* value) {
  const int predefined = (keyval & ~0xff) == 0x64400000 || (keyval & ~0xff) == 0x66000000;
  if (predefined) return predefined_value(keyval, value);
  return *place_of(value) ? *(MPI_Aint*)value : (MPI_Aint)value;
}

int heddle_copy_attribute(MPI_Comm object, int keyval, void* extra, void* value, void* copy,
                          int* flag) {
  const struct Fortran_keyval* state = extra;
  MPI_Aint extra_state = state->extra, old = heddle_attribute_to_fortran(keyval, value), new = 0;
  int result = MPI_SUCCESS;
  *flag = 0;
  state->copy(&object, &keyval, &extra_state, &old, &new, flag, &result);
  if (result == MPI_SUCCESS && *flag) *(void**)copy = heddle_attribute_from_fortran(new);
  return result;
}

int heddle_delete_attribute(MPI_Comm object, int keyval, void* value, void* extra) {
  const struct Fortran_keyval* state = extra;
  MPI_Aint extra_state = state->extra, old = heddle_attribute_to_fortran(keyval, value);
  int result = MPI_SUCCESS;
  state->destroy(&object, &keyval, &old, &extra_state, &result);
  if (result == MPI_SUCCESS) heddle_attribute_forget(value);
  return result;
}

int heddle_copy_short_attribute(MPI_Comm object, int keyval, void* extra, void* value, void* copy,
                                int* flag) {
  const struct Short_keyval* state = extra;
  int extra_state = state->extra, old = (int)heddle_attribute_to_fortran(keyval, value), new = 0;
  int result = MPI_SUCCESS;
  *flag = 0;
  state->copy(&object, &keyval, &extra_state, &old, &new, flag, &result);
  if (result == MPI_SUCCESS && *flag) *(void**)copy = heddle_attribute_from_fortran(new);
  return result;
}

int heddle_delete_short_attribute(MPI_Comm object, int keyval, void* value, void* extra) {
  const struct Short_keyval* state = extra;
  int extra_state = state->extra, old = (int)heddle_attribute_to_fortran(keyval, value);
  int result = MPI_SUCCESS;
  state->destroy(&object, &keyval, &old, &extra_state, &result);
  if (result == MPI_SUCCESS) heddle_attribute_forget(value);
  return result;
}

/* What programs name instead of functions of their own. */
static void copy_nothing(int* object, int* keyval, MPI_Aint* extra, MPI_Aint* value, MPI_Aint* copy,
                         int* flag, int* ierror) {
  (void)object, (void)keyval, (void)extra, (void)value, (void)copy;
  *flag = 0;
  *ierror = MPI_SUCCESS;
}
static void copy_value(int* object, int* keyval, MPI_Aint* extra, MPI_Aint* value, MPI_Aint* copy,
                       int* flag, int* ierror) {
  (void)object, (void)keyval, (void)extra;
  *copy = *value;
  *flag = 1;
  *ierror = MPI_SUCCESS;
}
static void copy_short_nothing(int* object, int* keyval, int* extra, int* value, int* copy,
                               int* flag, int* ierror) {
  (void)object, (void)keyval, (void)extra, (void)value, (void)copy;
  *flag = 0;
  *ierror = MPI_SUCCESS;
}
static void copy_short_value(int* object, int* keyval, int* extra, int* value, int* copy, int* flag,
                             int* ierror) {
  (void)object, (void)keyval, (void)extra;
  *copy = *value;
  *flag = 1;
  *ierror = MPI_SUCCESS;
}
static void delete_nothing(int* object, int* keyval, void* value, void* extra, int* ierror) {
  (void)object, (void)keyval, (void)value, (void)extra;
  *ierror = MPI_SUCCESS;
}
#define SAME_AS(function) __attribute__((alias(#function)))
Fortran_copy mpi_comm_null_copy_fn_ SAME_AS(copy_nothing),
    mpi_type_null_copy_fn_ SAME_AS(copy_nothing), mpi_win_null_copy_fn_ SAME_AS(copy_nothing),
    mpi_comm_dup_fn_ SAME_AS(copy_value), mpi_type_dup_fn_ SAME_AS(copy_value),
    mpi_win_dup_fn_ SAME_AS(copy_value);
Short_copy mpi_null_copy_fn_ SAME_AS(copy_short_nothing), mpi_dup_fn_ SAME_AS(copy_short_value);
__typeof__(delete_nothing) mpi_comm_null_delete_fn_ SAME_AS(delete_nothing),
    mpi_type_null_delete_fn_ SAME_AS(delete_nothing),
    mpi_win_null_delete_fn_ SAME_AS(delete_nothing), mpi_null_delete_fn_ SAME_AS(delete_nothing);

/* Only named, never called. */
void mpi_conversion_fn_null_(void* user, int* type, int* count, void* file, MPI_Offset* position,
                             MPI_Aint* extra, int* ierror) {
  (void)user, (void)type, (void)count, (void)file, (void)position, (void)extra;
  *ierror = MPI_ERR_INTERN;
}
void mpi_conversion_fn_null_c_(void* user, int* type, MPI_Count* count, void* file,
                               MPI_Offset* position, MPI_Aint* extra, int* ierror) {
  (void)user, (void)type, (void)count, (void)file, (void)position, (void)extra;
  *ierror = MPI_ERR_INTERN;
}

int heddle_query_request(void* extra, MPI_Status* status) {
  struct Fortran_request* state = extra;
  int result = MPI_SUCCESS;
  state->query(state->extra, status, &result);
  return result;
}
int heddle_free_request(void* extra) {
  struct Fortran_request* state = extra;
  int result = MPI_SUCCESS;
  state->release(state->extra, &result);
  free(state);
  return result;
}
int heddle_cancel_request(void* extra, int complete) {
  struct Fortran_request* state = extra;
  int result = MPI_SUCCESS;
  state->cancel(state->extra, &complete, &result);
  return result;
}

int heddle_read_conversion(void* user, MPI_Datatype type, int count, void* file,
                           MPI_Offset position, void* extra) {
  struct Fortran_representation* state = extra;
  int result = MPI_SUCCESS;
  state->read(user, &type, &count, file, &position, &state->extra, &result);
  return result;
}
int heddle_write_conversion(void* user, MPI_Datatype type, int count, void* file,
                            MPI_Offset position, void* extra) {
  struct Fortran_representation* state = extra;
  int result = MPI_SUCCESS;
  state->write(user, &type, &count, file, &position, &state->extra, &result);
  return result;
}
int heddle_large_read_conversion(void* user, MPI_Datatype type, MPI_Count count, void* file,
                                 MPI_Offset position, void* extra) {
  struct Fortran_representation* state = extra;
  int result = MPI_SUCCESS;
  ((Fortran_large_conversion*)(void*)state->read)(user, &type, &count, file, &position,
                                                  &state->extra, &result);
  return result;
}
int heddle_large_write_conversion(void* user, MPI_Datatype type, MPI_Count count, void* file,
                                  MPI_Offset position, void* extra) {
  struct Fortran_representation* state = extra;
  int result = MPI_SUCCESS;
  ((Fortran_large_conversion*)(void*)state->write)(user, &type, &count, file, &position,
                                                   &state->extra, &result);
  return result;
}
int heddle_file_extent(MPI_Datatype type, MPI_Aint* extent, void* extra) {
  struct Fortran_representation* state = extra;
  int result = MPI_SUCCESS;
  state->extent(&type, extent, &state->extra, &result);
  return result;
}

/* A file is a pointer in C and a number in Fortran, and an error handler gets nothing else to tell
 * it whom to call: so there is one C function for each of a few Fortran handlers. */
#define HANDLERS(each) each(0) each(1) each(2) each(3) each(4) each(5) each(6) each(7)
static Fortran_file_errhandler* file_handlers[8];
#define FUNCTION(n)                                               \
  static void file_handler_##n(MPI_File* file, int* error, ...) { \
    int number = MPI_File_c2f(*file);                             \
    file_handlers[n](&number, error);                             \
  }
HANDLERS(FUNCTION)
#define NAME(n) file_handler_##n,
static MPI_File_errhandler_function* const file_functions[] = {HANDLERS(NAME)};

MPI_File_errhandler_function* heddle_file_errhandler(Fortran_file_errhandler* handler) {
  for (int i = 0; i < 8; ++i) {
    if (!file_handlers[i]) file_handlers[i] = handler;
    if (file_handlers[i] == handler) return file_functions[i];
  }
  return NULL;
}

static int is_blank(const char* fortran, size_t length) {
  for (size_t i = 0; i < length; ++i) {
    if (fortran[i] != ' ') return 0;
  }
  return 1;
}

char** heddle_argv(const char* fortran, size_t length, size_t stride) {
  size_t count = 0;
  while (!is_blank(fortran + count * stride * length, length)) ++count;
  char** argv = malloc((count + 1) * sizeof(char*));
  for (size_t i = 0; i < count; ++i) argv[i] = trimmed_text(fortran + i * stride * length, length);
  argv[count] = NULL;
  return argv;
}

void heddle_free_argv(char** argv) {
  for (char** word = argv; word && *word; ++word) free(*word);
  free(argv);
}

MPI_Aint* heddle_long_addresses(const int* addresses, int count) {
  MPI_Aint* result = malloc((size_t)(count > 0 ? count : 1) * sizeof *result);
  for (int i = 0; i < count; ++i) result[i] = addresses[i];
  return result;
}
