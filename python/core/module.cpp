// heddle._core: the library's simulator for Python, where messages are driven one by one.
// heddle/simulator.py is what users see of it.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "heddle/simulator.hpp"

namespace py = pybind11;

namespace {

/// A class of the package, which holds the sentence and what else is known.
void raise(const char* name, const std::string& sentence, const py::object& note) {
  const py::object kind = py::module_::import("heddle.errors").attr(name);
  PyErr_SetObject(kind.ptr(), kind(sentence, note).ptr());
}

py::object number_or_none(std::uint32_t number) {
  return number == 0 ? py::object(py::none()) : py::object(py::int_(number));
}

/// As the program tells of mistakes (docs/json.md, heddle.note/1).
py::dict note_of(const heddle::InputError& error) {
  const heddle::SourceLocation& where = error.where();
  py::dict note;
  note["status"] = 2;
  note["problem"] = error.problem();
  note["file"] = where.file.empty() ? py::object(py::none()) : py::object(py::str(where.file));
  note["line"] = number_or_none(where.line);
  note["column"] = number_or_none(where.column);
  return note;
}

void translate(std::exception_ptr failure) {
  try {
    if (failure) std::rethrow_exception(failure);
  } catch (const heddle::InputError& error) {
    raise("InputError", error.what(), note_of(error));
  } catch (const heddle::RunError& error) {
    raise("RunFailed", error.what(), py::none());
  }
}

/// Mistakes in settings are told as the program tells of them.
heddle::Machine machine_of(const std::string& platform, const std::vector<std::string>& settings) {
  try {
    return heddle::Machine(platform, settings);
  } catch (const heddle::InputError& error) {
    const std::string& file = error.where().file;
    if (std::find(settings.begin(), settings.end(), file) == settings.end()) throw;
    throw heddle::InputError({"--set " + file}, error.problem());
  }
}

/// A simulator that calls functions of Python: between events, not inside of them, so that what
/// they raise leaves everything as it is, and the rest is called when it runs again.
class Calls {
 public:
  Calls(const heddle::Machine& machine, std::uint64_t seed) : simulator_(machine, seed) {}

  std::int64_t now_ps() const { return simulator_.now_ps(); }
  std::uint64_t fingerprint() const { return simulator_.fingerprint(); }

  void at(std::int64_t time_ps, py::object then) {
    simulator_.at(time_ps, keeping(std::move(then)));
  }
  void send(std::uint32_t source, std::uint32_t destination, std::int64_t bytes, py::object then) {
    if (then.is_none()) return simulator_.send(source, destination, bytes);
    simulator_.send(source, destination, bytes, keeping(std::move(then)));
  }
  /// Until nothing is left to happen, or up to a time.
  void run(std::int64_t until_ps) {
    constexpr std::uint32_t kEventsBetweenLooks = 4096;
    std::uint32_t events = 0;
    do {
      call_due();
      if (++events % kEventsBetweenLooks == 0 && PyErr_CheckSignals() != 0) {
        throw py::error_already_set();
      }
    } while (simulator_.step(until_ps));
    if (until_ps != kForEver) simulator_.run_until(until_ps);
  }

  static constexpr std::int64_t kForEver = std::numeric_limits<std::int64_t>::max();

  /// All functions that wait, for the collector of garbage: they often know their simulator.
  int visit(visitproc visit, void* arg) const {
    for (const py::object& object : waiting_) Py_VISIT(object.ptr());
    for (const py::object& object : due_) Py_VISIT(object.ptr());
    return 0;
  }
  void clear() {
    for (py::object& object : waiting_) object = py::object();
    std::deque<py::object>().swap(due_);
  }

 private:
  /// Keeps the function until it is due.
  std::function<void()> keeping(py::object then) {
    if (free_.empty()) {
      free_.push_back(waiting_.size());
      waiting_.emplace_back();
    }
    const std::size_t place = free_.back();
    free_.pop_back();
    waiting_[place] = std::move(then);
    return [this, place] {
      due_.push_back(std::move(waiting_[place]));
      free_.push_back(place);
    };
  }
  void call_due() {
    while (!due_.empty()) {
      const py::object then = std::move(due_.front());
      due_.pop_front();
      if (then) then();
    }
  }

  heddle::Simulator simulator_;
  std::vector<py::object> waiting_;  ///< By place; empty where it is free.
  std::vector<std::size_t> free_;
  std::deque<py::object> due_;
};

/// Null as long as it is not constructed.
Calls* calls_of(PyObject* self) {
  const auto held = reinterpret_cast<py::detail::instance*>(self)->get_value_and_holder();
  return held.holder_constructed() ? static_cast<Calls*>(held.value_ptr()) : nullptr;
}

/// Python's collector is told of the functions.
void with_garbage_collection(PyHeapTypeObject* heap_type) {
  PyTypeObject& type = heap_type->ht_type;
  type.tp_flags |= Py_TPFLAGS_HAVE_GC;
  type.tp_traverse = [](PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    const Calls* const calls = calls_of(self);
    return calls == nullptr ? 0 : calls->visit(visit, arg);
  };
  type.tp_clear = [](PyObject* self) {
    if (Calls* const calls = calls_of(self)) calls->clear();
    return 0;
  };
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  module.doc() = "Machines, and messages between their nodes.";
  py::register_exception_translator(&translate);

  py::class_<heddle::Machine>(module, "Machine")
      .def(py::init(&machine_of), py::arg("platform"),
           py::arg("settings") = std::vector<std::string>())
      .def_property_readonly("name", &heddle::Machine::name)
      .def_property_readonly("topology", &heddle::Machine::topology)
      .def_property_readonly("nodes", &heddle::Machine::nodes)
      .def("node", &heddle::Machine::node, py::arg("name"))
      .def("node_name", &heddle::Machine::node_name, py::arg("node"));

  py::class_<Calls>(module, "Simulator", py::custom_type_setup(&with_garbage_collection))
      .def(py::init<const heddle::Machine&, std::uint64_t>(), py::arg("machine"),
           py::arg("seed") = 1, py::keep_alive<1, 2>())
      .def_property_readonly("now_ps", &Calls::now_ps)
      .def_property_readonly("fingerprint", &Calls::fingerprint)
      .def("at", &Calls::at, py::arg("time_ps"), py::arg("then"))
      .def("send", &Calls::send, py::arg("source"), py::arg("destination"), py::arg("size"),
           py::arg("then") = py::none())
      .def("run", &Calls::run, py::arg("until_ps") = Calls::kForEver);
}
