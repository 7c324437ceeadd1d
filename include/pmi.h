/* PMI-1, as launchers offer it to the ranks of a job: who there is, values under keys, a barrier.
 *
 * Compile with heddlecc and start with `heddle run`. Nothing here uses the simulated network; a
 * barrier costs what that of heddle.h costs. */
#ifndef PMI_H
#define PMI_H

#ifdef __cplusplus
extern "C" {
#endif

#define PMI_SUCCESS 0
#define PMI_FAIL (-1)
#define PMI_ERR_INIT 1
#define PMI_ERR_NOMEM 2
#define PMI_ERR_INVALID_ARG 3
#define PMI_ERR_INVALID_KEY 4
#define PMI_ERR_INVALID_KEY_LENGTH 5
#define PMI_ERR_INVALID_VAL 6
#define PMI_ERR_INVALID_VAL_LENGTH 7
#define PMI_ERR_INVALID_LENGTH 8
#define PMI_ERR_INVALID_NUM_ARGS 9
#define PMI_ERR_INVALID_ARGS 10
#define PMI_ERR_INVALID_NUM_PARSED 11
#define PMI_ERR_INVALID_KEYVALP 12
#define PMI_ERR_INVALID_SIZE 13
#define PMI_ERR_INVALID_KVS 14

typedef int PMI_BOOL;
#define PMI_TRUE 1
#define PMI_FALSE 0

typedef struct PMI_keyval_t {
  const char* key;
  char* val;
} PMI_keyval_t;

/* The beginning and the end. `spawned` becomes PMI_FALSE: a job starts with all its ranks. */
int PMI_Init(int* spawned);
int PMI_Initialized(PMI_BOOL* initialized);
int PMI_Finalize(void);
/* Ends all ranks with this status. */
int PMI_Abort(int exit_code, const char error_msg[]);

/* Who there is. The clique of a rank are those of its node, in the order of their numbers. */
int PMI_Get_size(int* size);
int PMI_Get_rank(int* rank);
int PMI_Get_universe_size(int* size);
int PMI_Get_appnum(int* appnum);
int PMI_Get_id(char id_str[], int length);
int PMI_Get_kvs_domain_id(char id_str[], int length);
int PMI_Get_id_length_max(int* length);
int PMI_Get_clique_size(int* size);
int PMI_Get_clique_ranks(int ranks[], int length);

/* Waits until all ranks have called it. */
int PMI_Barrier(void);

/* Values under keys, in the one space that the job has: put some, commit, meet in a barrier, get.
 */
int PMI_KVS_Get_my_name(char kvsname[], int length);
int PMI_KVS_Get_name_length_max(int* length);
int PMI_KVS_Get_key_length_max(int* length);
int PMI_KVS_Get_value_length_max(int* length);
int PMI_KVS_Put(const char kvsname[], const char key[], const char value[]);
int PMI_KVS_Commit(const char kvsname[]);
int PMI_KVS_Get(const char kvsname[], const char key[], char value[], int length);

/* Ports under names of services. */
int PMI_Publish_name(const char service_name[], const char port[]);
int PMI_Unpublish_name(const char service_name[]);
int PMI_Lookup_name(const char service_name[], char port[]);

/* PMI_FAIL: a job starts with all its ranks. */
int PMI_Spawn_multiple(int count, const char* cmds[], const char** argvs[], const int maxprocs[],
                       const int info_keyval_sizes[], const PMI_keyval_t* info_keyval_vectors[],
                       int preput_keyval_size, const PMI_keyval_t preput_keyval_vector[],
                       int errors[]);

#ifdef __cplusplus
}
#endif
#endif
