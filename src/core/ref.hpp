// References that count: the last one to go ends what it refers to.
#pragma once

#include <utility>

namespace heddle {

/// Refers to an object that counts its references itself (`retain()` and `release()`, also of
/// constant objects), or to nothing. Within one thread.
template <class T>
class Ref {
 public:
  Ref() = default;
  /// One more reference to an object that somebody has: it counts itself, so that is safe.
  Ref(T* object) : object_(object) {  // NOLINT: like a pointer
    if (object_ != nullptr) object_->retain();
  }
  Ref(const Ref& other) : Ref(other.object_) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_ != nullptr) object_->release();
  }

  T* get() const { return object_; }
  T& operator*() const { return *object_; }
  T* operator->() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }
  friend bool operator==(const Ref& a, const Ref& b) { return a.object_ == b.object_; }

 private:
  T* object_ = nullptr;
};

/// A new object with its first reference.
template <class T, class... Arguments>
Ref<T> make_ref(Arguments&&... arguments) {
  return Ref<T>(new T(std::forward<Arguments>(arguments)...));
}

}  // namespace heddle
