// `heddle serve`: a page on this computer that runs the program.
//
//   heddle-serve HEDDLE FOLDER PORT
#include <fcntl.h>
#include <httplib.h>
#include <signal.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "guard.hpp"
#include "page.hpp"
#include "runs.hpp"

namespace heddle::serve {
namespace {

namespace fs = std::filesystem;
using httplib::Request;
using httplib::Response;
using nlohmann::json;

constexpr int kRefused = 400;
constexpr int kForbidden = 403;
constexpr std::size_t kMostBytes = 1 << 20;

void answer(Response& response, const json& value) {
  response.set_content(value.dump(-1, ' ', false, json::error_handler_t::replace),
                       "application/json");
}

void refuse(Response& response, int status, const std::string& why) {
  response.status = status;
  answer(response, {{"problem", why}});
}

/// Files of the folder that can be chosen, by what they are.
json files_of(const fs::path& folder) {
  json files = {
      {"programs", json::array()}, {"schedules", json::array()}, {"machines", json::array()}};
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename();
    if (!entry.is_regular_file(error) || name.starts_with('.')) continue;
    const std::string kind = entry.path().extension();
    const bool runs =
        (entry.status(error).permissions() & fs::perms::owner_exec) != fs::perms::none;
    if (kind == ".goal" || kind == ".hgs") files["schedules"].push_back(name);
    if (kind == ".yaml" || kind == ".yml") files["machines"].push_back(name);
    if (runs && kind.empty()) files["programs"].push_back(name);
  }
  for (auto& [kind, names] : files.items()) std::sort(names.begin(), names.end());
  return files;
}

/// Page and server: what each address answers.
class Playground {
 public:
  Playground(Runs& runs, Guard& guard) : runs_(runs), guard_(guard) { answer_all(); }

  /// Until a signal ends it.
  int listen(int port) {
    const int bound = port == 0 ? server_.bind_to_any_port("127.0.0.1") : port;
    if (bound < 0 || (port != 0 && !server_.bind_to_port("127.0.0.1", port))) {
      std::fprintf(stderr, "error: port %d of 127.0.0.1 cannot be had\n", port);
      return 1;
    }
    guard_.listen_on(bound);
    std::printf("%s/?token=%s\n", guard_.origin().c_str(), guard_.token().c_str());
    std::fflush(stdout);
    server_.listen_after_bind();
    return 0;
  }
  void stop() { server_.stop(); }

 private:
  void answer_all() {
    server_.set_payload_max_length(kMostBytes);
    server_.set_pre_routing_handler([this](const Request& request, Response& response) {
      response.set_header("X-Content-Type-Options", "nosniff");
      response.set_header("Referrer-Policy", "no-referrer");
      response.set_header("Cache-Control", "no-store");
      const std::string refusal = guard_.refusal(request);
      if (refusal.empty()) return httplib::Server::HandlerResponse::Unhandled;
      refuse(response, kForbidden, refusal);
      return httplib::Server::HandlerResponse::Handled;
    });
    server_.set_exception_handler(
        [](const Request&, Response& response, std::exception_ptr failure) {
          try {
            std::rethrow_exception(failure);
          } catch (const std::exception& error) {
            refuse(response, kRefused, error.what());
          }
        });
    server_.Get("/", [this](const Request&, Response& response) { give_page(response); });
    server_.Get("/api/files", [this](const Request&, Response& response) {
      answer(response, files_of(runs_.folder()));
    });
    server_.Post("/api/runs", [this](const Request& request, Response& response) {
      const json order = json::parse(request.body, nullptr, false);
      answer(response, {{"run", runs_.start(read_order(order, runs_.folder()))}});
    });
    server_.Get(R"(/api/runs/(\d{1,9}))", [this](const Request& request, Response& response) {
      answer(response, runs_.status(request.matches[1]));
    });
    server_.Delete(R"(/api/runs/(\d{1,9}))", [this](const Request& request, Response& response) {
      runs_.remove(request.matches[1]);
      answer(response, json::object());
    });
    server_.Get(R"(/runs/(\d{1,9})/(page\.html|drawing\.svg))",
                [this](const Request& request, Response& response) {
                  give_file(response, request.matches[1], request.matches[2]);
                });
  }

  /// Scripts of the page alone, and nothing from or to elsewhere.
  void give_page(Response& response) const {
    const std::string nonce = new_token();
    std::string text(page());
    for (std::size_t place; (place = text.find("NONCE")) != std::string::npos;) {
      text.replace(place, 5, nonce);
    }
    response.set_header(
        "Content-Security-Policy",
        "default-src 'none'; script-src 'nonce-" + nonce + "'; style-src 'nonce-" + nonce +
            "'; connect-src 'self'; img-src 'self' data:; frame-src 'self'; base-uri "
            "'none'; form-action 'none'; frame-ancestors 'none'");
    response.set_content(text, "text/html; charset=utf-8");
  }

  /// What the program has written: shown apart from the page, without leave to ask for anything.
  void give_file(Response& response, const std::string& run, const std::string& file) const {
    const std::string text = runs_.file(run, file);
    if (text.empty()) return refuse(response, 404, "there is no such file");
    response.set_header(
        "Content-Security-Policy",
        "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline' blob:; style-src "
        "'unsafe-inline'; img-src data: blob:; font-src data:; worker-src blob:");
    response.set_content(text, file == "page.html" ? "text/html; charset=utf-8" : "image/svg+xml");
  }

  httplib::Server server_;
  Runs& runs_;
  Guard& guard_;
};

int run(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: heddle serve\n", stderr);
    return 2;
  }
  // Ended by signals, which a thread waits for: all runs end with the server.
  sigset_t endings;
  sigemptyset(&endings);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&endings, signal);
  pthread_sigmask(SIG_BLOCK, &endings, nullptr);
  signal(SIGPIPE, SIG_IGN);
  Runs runs(argv[1], argv[2]);
  Guard guard(new_token());
  Playground playground(runs, guard);
  std::thread waiter([&] {
    int signal = 0;
    sigwait(&endings, &signal);
    playground.stop();
  });
  const int status = playground.listen(std::atoi(argv[3]));
  if (status != 0) raise(SIGTERM);
  waiter.join();
  return status;
}

}  // namespace
}  // namespace heddle::serve

int main(int argc, char** argv) {
  try {
    return heddle::serve::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}
