// A reference to something that can be called, which has to live as long as the reference. What
// takes one is compiled once, and not for each lambda; calling it costs what a virtual call does.
// Source: std::function_ref of C++26.
#pragma once

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

namespace tracefold {

template <class Signature>
class FunctionRef;

template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  template <class Function>
  requires(!std::same_as<std::remove_cvref_t<Function>, FunctionRef> &&
           std::is_invocable_r_v<Result, Function&, Arguments...>) FunctionRef(Function&& function)
      : function_(const_cast<void*>(static_cast<const void*>(std::addressof(function)))),
        call_([](void* of, Arguments... arguments) -> Result {
          return (*static_cast<std::remove_reference_t<Function>*>(of))(
              std::forward<Arguments>(arguments)...);
        }) {}

  Result operator()(Arguments... arguments) const {
    return call_(function_, std::forward<Arguments>(arguments)...);
  }

 private:
  void* function_;
  Result (*call_)(void*, Arguments...);
};

}  // namespace tracefold
