// The tools interface: categories, and events and their sources, of which there are none.
#include "mpi/tools/tools.hpp"

using namespace heddle::mpi;

namespace {

/// Two categories: what can be set before a run, and what can be asked during it.
struct Category {
  std::string_view name;
  std::string_view meaning;
  std::size_t (*controls)();
  std::size_t (*performances)();
};
std::size_t no_variables() {
  return 0;
}
const std::array<Category, 2> kCategories = {{
    {"parameters", "the parameters of MPI, which the user and the machine's file give",
     [] { return control_variables().size(); }, no_variables},
    {"rank", "where the time of the rank has gone", no_variables,
     [] { return performance_variables().size(); }},
}};

template <class Body>
int category_call(int index, Body body) {
  return tools_call([&](Process&, Tools&) {
    if (!within(index, kCategories.size())) return MPI_T_ERR_INVALID_INDEX;
    body(kCategories[static_cast<std::size_t>(index)]);
    return MPI_SUCCESS;
  });
}

/// All variables of a kind are in one category, or none is.
void give_indices(std::size_t count, int len, int indices[]) {
  for (int i = 0; i < std::min(len, static_cast<int>(count)); ++i) indices[i] = i;
}

int no_such_index() {
  return tools_call([](Process&, Tools&) { return MPI_T_ERR_INVALID_INDEX; });
}
int no_such_handle() {
  return tools_call([](Process&, Tools&) { return MPI_T_ERR_INVALID_HANDLE; });
}
int give_zero(int* number) {
  return tools_call([&](Process&, Tools&) {
    give(number, 0);
    return MPI_SUCCESS;
  });
}

}  // namespace

extern "C" {

int PMPI_T_category_get_num(int* num_cat) {
  return tools_call([&](Process&, Tools&) {
    if (num_cat == nullptr) return MPI_T_ERR_INVALID;
    *num_cat = static_cast<int>(kCategories.size());
    return MPI_SUCCESS;
  });
}

int PMPI_T_category_get_info(int cat_index, char* name, int* name_len, char* desc, int* desc_len,
                             int* num_cvars, int* num_pvars, int* num_categories) {
  return category_call(cat_index, [&](const Category& category) {
    give_text(category.name, name, name_len);
    give_text(category.meaning, desc, desc_len);
    give(num_cvars, static_cast<int>(category.controls()));
    give(num_pvars, static_cast<int>(category.performances()));
    give(num_categories, 0);
  });
}

int PMPI_T_category_get_index(const char* name, int* cat_index) {
  return tools_call([&](Process&, Tools&) {
    if (name == nullptr || cat_index == nullptr) return MPI_T_ERR_INVALID;
    for (std::size_t i = 0; i < kCategories.size(); ++i) {
      if (kCategories[i].name != name) continue;
      *cat_index = static_cast<int>(i);
      return MPI_SUCCESS;
    }
    return MPI_T_ERR_INVALID_NAME;
  });
}

int PMPI_T_category_get_cvars(int cat_index, int len, int indices[]) {
  return category_call(cat_index, [&](const Category& category) {
    give_indices(category.controls(), len, indices);
  });
}
int PMPI_T_category_get_pvars(int cat_index, int len, int indices[]) {
  return category_call(cat_index, [&](const Category& category) {
    give_indices(category.performances(), len, indices);
  });
}
int PMPI_T_category_get_categories(int cat_index, int, int[]) {
  return category_call(cat_index, [](const Category&) {});
}
int PMPI_T_category_get_events(int cat_index, int, int[]) {
  return category_call(cat_index, [](const Category&) {});
}
int PMPI_T_category_get_num_events(int cat_index, int* num_events) {
  return category_call(cat_index, [&](const Category&) { give(num_events, 0); });
}
int PMPI_T_category_changed(int* update_number) {
  return give_zero(update_number);
}

int PMPI_T_event_get_num(int* num_events) {
  return give_zero(num_events);
}
int PMPI_T_event_get_index(const char*, int*) {
  return tools_call([](Process&, Tools&) { return MPI_T_ERR_INVALID_NAME; });
}
int PMPI_T_event_get_info(int, char*, int*, int*, MPI_Datatype[], MPI_Aint[], int*, MPI_T_enum*,
                          MPI_Info*, char*, int*, int*) {
  return no_such_index();
}
int PMPI_T_event_handle_alloc(int, void*, MPI_Info, MPI_T_event_registration*) {
  return no_such_index();
}
int PMPI_T_event_handle_free(MPI_T_event_registration, void*, MPI_T_event_free_cb_function*) {
  return no_such_handle();
}
int PMPI_T_event_handle_get_info(MPI_T_event_registration, MPI_Info*) {
  return no_such_handle();
}
int PMPI_T_event_handle_set_info(MPI_T_event_registration, MPI_Info) {
  return no_such_handle();
}
int PMPI_T_event_register_callback(MPI_T_event_registration, MPI_T_cb_safety, MPI_Info, void*,
                                   MPI_T_event_cb_function*) {
  return no_such_handle();
}
int PMPI_T_event_callback_get_info(MPI_T_event_registration, MPI_T_cb_safety, MPI_Info*) {
  return no_such_handle();
}
int PMPI_T_event_callback_set_info(MPI_T_event_registration, MPI_T_cb_safety, MPI_Info) {
  return no_such_handle();
}
int PMPI_T_event_set_dropped_handler(MPI_T_event_registration, MPI_T_event_dropped_cb_function*) {
  return no_such_handle();
}
int PMPI_T_event_read(MPI_T_event_instance, int, void*) {
  return no_such_handle();
}
int PMPI_T_event_copy(MPI_T_event_instance, void*) {
  return no_such_handle();
}
int PMPI_T_event_get_timestamp(MPI_T_event_instance, MPI_Count*) {
  return no_such_handle();
}
int PMPI_T_event_get_source(MPI_T_event_instance, int*) {
  return no_such_handle();
}
int PMPI_T_source_get_num(int* num_sources) {
  return give_zero(num_sources);
}
int PMPI_T_source_get_info(int, char*, int*, char*, int*, MPI_T_source_order*, MPI_Count*,
                           MPI_Count*, MPI_Info*) {
  return no_such_index();
}
int PMPI_T_source_get_timestamp(int, MPI_Count*) {
  return no_such_index();
}

}  // extern "C"
