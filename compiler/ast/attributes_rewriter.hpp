// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "attributes.hpp"

#include "clang/Lex/Preprocessor.h"

#include <string>

namespace falx::compiler {

/// State machine over the tokens that the parser receives. Inside [[ ]] it puts an attribute's annotation in
/// front of the arguments of the attributes we know:
///
///   [[sycl::reqd_sub_group_size(N)]]   [[sycl::reqd_sub_group_size("falx.attr.reqd_sub_group_size", N)]]
///   [[sycl::named_sub_group_size(primary)]]
///                                      [[sycl::named_sub_group_size("falx.attr.named_sub_group_size",
///                                      "primary")]]
///   [[sycl::kernel]]                   [[sycl::kernel("falx.attr.kernel")]]
///
/// That is all an AnnotateTypeAttr needs, and an argument list that the parser accepts. Everything else
/// passes untouched, and -E, which has no parser, shows the source as it was written.
class attribute_rewriter {
public:
  explicit attribute_rewriter(clang::Preprocessor& preprocessor) : preprocessor_(preprocessor) {}

  void on_token(const clang::Token& token) {
    if (state_ != state::outside)
      inside(token);
    else if (token.is(clang::tok::l_square))
      state_ = state::one_bracket;
  }

private:
  enum class state : unsigned char {
    outside,
    one_bracket,
    /// After `[[`, `,` or `using scope:`.
    attribute_begin,
    /// After `using` and after `using scope`.
    using_scope,
    using_colon,
    /// After a name that may be a scope or an attribute of the `using` scope.
    first_name,
    /// After `scope ::` and after `scope :: name`.
    scoped_name,
    attribute_end,
    /// After the parenthesis that opens the arguments of an attribute we know.
    first_argument,
    arguments,
    one_closing_bracket,
  };

  void inside(const clang::Token& token);
  void name_is_complete(llvm::StringRef scope, llvm::StringRef name, const clang::Token& token);
  void open_arguments();
  void first_argument(const clang::Token& token);
  void arguments(const clang::Token& token);

  /// Hands \p replacement to the parser in place of \p token, then \p following before the rest of the
  /// source.
  void replace(const clang::Token& token, const clang::Token& replacement,
               llvm::ArrayRef<clang::Token> following);
  void insert(llvm::ArrayRef<clang::Token> tokens);
  clang::Token punctuator(clang::tok::TokenKind kind, clang::SourceLocation location) const;
  clang::Token string_literal(llvm::StringRef text, clang::SourceLocation location) const;

  clang::Preprocessor& preprocessor_;
  state state_ = state::outside;
  std::string using_scope_;
  std::string name_;
  const known_attribute* attribute_ = nullptr;
  unsigned parentheses_ = 0;
};

} // namespace falx::compiler
