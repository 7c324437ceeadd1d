/* What the C functions behind Fortran's interface have in common. gfortran hands arguments over by
 * address, lengths of texts behind all others; its logical is 0 or 1 in an int. */
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Variables that stand for something else, known by their addresses: mpif.h.in declares them. */
extern struct { int bottom, in_place, status_ignore[5]; } mpipriv1_;
extern struct { int statuses_ignore[5], errcodes_ignore[1]; } mpipriv2_;
extern struct { char argvs_null[1], argv_null[1]; } mpiprivc_;
extern int mpifcmb5_[1]; /* MPI_UNWEIGHTED */
extern int mpifcmb9_[1]; /* MPI_WEIGHTS_EMPTY */

static inline void* buffer_of(void* address) {
  if (address == &mpipriv1_.bottom) return MPI_BOTTOM;
  return address == &mpipriv1_.in_place ? MPI_IN_PLACE : address;
}
static inline MPI_Status* status_of(MPI_Status* status) {
  return (void*)status == mpipriv1_.status_ignore ? MPI_STATUS_IGNORE : status;
}
static inline MPI_Status* statuses(MPI_Status* status) {
  return (void*)status == mpipriv2_.statuses_ignore ? MPI_STATUSES_IGNORE : status_of(status);
}
static inline int* weights_of(int* array) {
  if (array == mpifcmb5_) return MPI_UNWEIGHTED;
  return array == mpifcmb9_ ? MPI_WEIGHTS_EMPTY : array;
}
static inline int* error_codes(int* array) {
  return array == mpipriv2_.errcodes_ignore ? MPI_ERRCODES_IGNORE : array;
}

/* Places in arrays: `count` of them, unless there are none. */
static inline void count_from_one(int* index, int count) {
  for (int i = 0; i < count; ++i) {
    if (index[i] != MPI_UNDEFINED) ++index[i];
  }
}

/* Texts of Fortran's are filled up with blanks and have no end mark. What these return is to be
 * freed. */
static inline char* text(const char* fortran, size_t length) {
  while (length > 0 && fortran[length - 1] == ' ') --length;
  char* copy = malloc(length + 1);
  memcpy(copy, fortran, length);
  copy[length] = '\0';
  return copy;
}
/* Without the blanks before it, either. */
static inline char* trimmed_text(const char* fortran, size_t length) {
  for (; length > 0 && *fortran == ' '; ++fortran) --length;
  return text(fortran, length);
}
/* Space for any text that a call gives back. */
static inline char* text_space(void) {
  char* space = malloc(MPI_MAX_LIBRARY_VERSION_STRING);
  *space = '\0';
  return space;
}
static inline void fill(char* fortran, size_t length, const char* from) {
  size_t size = strlen(from);
  if (size > length) size = length;
  memcpy(fortran, from, size);
  memset(fortran + size, ' ', length - size);
}
/* Hands a text over, if the call went well, and frees it. */
static inline void give_text(char* space, char* fortran, size_t length, int result) {
  if (result == MPI_SUCCESS) fill(fortran, length, space);
  free(space);
}

/* The value of an attribute, as Fortran sees it, and what C shall find for one that Fortran sets.
 */
MPI_Aint heddle_attribute_to_fortran(int keyval, void* value);
void* heddle_attribute_from_fortran(MPI_Aint value);
void heddle_attribute_forget(void* value);

/* Functions of Fortran's, with what they are to be handed. */
typedef void Fortran_copy(int* object, int* keyval, MPI_Aint* extra, MPI_Aint* value,
                          MPI_Aint* copy, int* flag, int* ierror);
typedef void Fortran_delete(int* object, int* keyval, MPI_Aint* value, MPI_Aint* extra,
                            int* ierror);
typedef void Short_copy(int* object, int* keyval, int* extra, int* value, int* copy, int* flag,
                        int* ierror);
typedef void Short_delete(int* object, int* keyval, int* value, int* extra, int* ierror);
struct Fortran_keyval {
  Fortran_copy* copy;
  Fortran_delete* destroy;
  MPI_Aint extra;
};
struct Short_keyval {
  Short_copy* copy;
  Short_delete* destroy;
  int extra;
};
MPI_Comm_copy_attr_function heddle_copy_attribute, heddle_copy_short_attribute;
MPI_Comm_delete_attr_function heddle_delete_attribute, heddle_delete_short_attribute;
static inline void* fortran_keyval(Fortran_copy* copy, Fortran_delete* destroy, MPI_Aint extra) {
  struct Fortran_keyval* keyval = malloc(sizeof *keyval);
  *keyval = (struct Fortran_keyval){copy, destroy, extra};
  return keyval;
}

struct Fortran_request {
  void (*query)(MPI_Aint* extra, MPI_Status* status, int* ierror);
  void (*release)(MPI_Aint* extra, int* ierror);
  void (*cancel)(MPI_Aint* extra, int* complete, int* ierror);
  MPI_Aint* extra; /* The variable itself, which the functions may change. */
};
MPI_Grequest_query_function heddle_query_request;
MPI_Grequest_free_function heddle_free_request;
MPI_Grequest_cancel_function heddle_cancel_request;

typedef void Fortran_conversion(void* user, int* type, int* count, void* file, MPI_Offset* position,
                                MPI_Aint* extra, int* ierror);
typedef void Fortran_large_conversion(void* user, int* type, MPI_Count* count, void* file,
                                      MPI_Offset* position, MPI_Aint* extra, int* ierror);
typedef void Fortran_extent(int* type, MPI_Aint* extent, MPI_Aint* extra, int* ierror);
struct Fortran_representation {
  Fortran_conversion *read, *write;
  Fortran_extent* extent;
  MPI_Aint extra;
};
MPI_Datarep_conversion_function heddle_read_conversion, heddle_write_conversion;
MPI_Datarep_conversion_function_c heddle_large_read_conversion, heddle_large_write_conversion;
MPI_Datarep_extent_function heddle_file_extent;
Fortran_conversion mpi_conversion_fn_null_;
Fortran_large_conversion mpi_conversion_fn_null_c_;

typedef void Fortran_file_errhandler(int* file, int* error);
/* A C function that calls the given one, of which there can be a few, or null. */
MPI_File_errhandler_function* heddle_file_errhandler(Fortran_file_errhandler* handler);

/* Lists of texts, each of the same length, up to one of blanks; `stride` texts lie between two. */
char** heddle_argv(const char* fortran, size_t length, size_t stride);
void heddle_free_argv(char** argv);

/* Addresses of MPI 1, which are integers. */
MPI_Aint* heddle_long_addresses(const int* addresses, int count);

static inline void answer(int* ierror, int result) {
  if (ierror) *ierror = result;
}
