// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "attributes_rewriter.hpp"

#include <memory>

namespace falx::compiler {

using clang::Token;
namespace tok = clang::tok;

void attribute_rewriter::inside(const Token& token) {
  const clang::IdentifierInfo* identifier = token.isAnnotation() ? nullptr : token.getIdentifierInfo();
  if (token.isOneOf(tok::eof, tok::semi, tok::l_brace)) {
    // No attribute list goes on past these: the source is malformed, and clang says so.
    state_ = state::outside;
    return;
  }
  switch (state_) {
  case state::outside:
    return;
  case state::one_bracket:
    using_scope_.clear();
    state_ = token.is(tok::l_square) ? state::attribute_begin : state::outside;
    return;
  case state::attribute_begin:
    if (token.is(tok::kw_using)) {
      state_ = state::using_scope;
    } else if (identifier != nullptr) {
      name_ = identifier->getName().str();
      name_is_complete(using_scope_, name_, token);
      if (state_ == state::attribute_begin)
        state_ = state::first_name;
    } else if (token.is(tok::r_square)) {
      state_ = state::one_closing_bracket;
    }
    return;
  case state::using_scope:
    if (identifier != nullptr)
      using_scope_ = identifier->getName().str();
    state_ = state::using_colon;
    return;
  case state::using_colon:
    state_ = state::attribute_begin;
    return;
  case state::first_name:
    if (token.is(tok::coloncolon)) {
      state_ = state::scoped_name;
      return;
    }
    break;
  case state::scoped_name:
    if (identifier != nullptr)
      name_is_complete(name_, identifier->getName(), token);
    state_ = state::attribute_end;
    return;
  case state::attribute_end:
    break;
  case state::first_argument:
    first_argument(token);
    return;
  case state::arguments:
    arguments(token);
    return;
  case state::one_closing_bracket:
    state_ = state::outside;
    return;
  }
  // After an attribute's name.
  if (token.is(tok::l_paren)) {
    open_arguments();
  } else if (token.is(tok::comma)) {
    attribute_ = nullptr;
    state_ = state::attribute_begin;
  } else if (token.is(tok::r_square)) {
    attribute_ = nullptr;
    state_ = state::one_closing_bracket;
  }
}

void attribute_rewriter::name_is_complete(llvm::StringRef scope, llvm::StringRef name, const Token& token) {
  attribute_ = scope == "sycl" || scope == "intel" ? find_attribute(scope, name) : nullptr;
  if (attribute_ == nullptr || attribute_->arguments != attribute_arguments::none)
    return;
  const clang::SourceLocation location = token.getLocation();
  insert({punctuator(tok::l_paren, location), string_literal(attribute_->annotation, location),
          punctuator(tok::r_paren, location)});
  attribute_ = nullptr;
}

void attribute_rewriter::open_arguments() {
  parentheses_ = 1;
  state_ = attribute_ != nullptr ? state::first_argument : state::arguments;
}

void attribute_rewriter::first_argument(const Token& token) {
  const clang::SourceLocation location = token.getLocation();
  const Token annotation = string_literal(attribute_->annotation, location);
  state_ = state::arguments;
  if (token.is(tok::r_paren)) {
    const Token closing = token;
    replace(token, annotation, {closing});
    attribute_ = nullptr;
    state_ = state::attribute_end;
    return;
  }
  llvm::SmallVector<Token, 2> following{punctuator(tok::comma, location)};
  if (token.is(tok::l_paren))
    ++parentheses_;
  if (attribute_->arguments == attribute_arguments::word && token.is(tok::identifier))
    following.push_back(string_literal(token.getIdentifierInfo()->getName(), location));
  else
    following.push_back(token);
  replace(token, annotation, following);
}

void attribute_rewriter::arguments(const Token& token) {
  if (token.is(tok::l_paren)) {
    ++parentheses_;
  } else if (token.is(tok::r_paren) && --parentheses_ == 0) {
    state_ = state::attribute_end;
    attribute_ = nullptr;
  }
}

void attribute_rewriter::replace(const Token& token, const Token& replacement,
                                 llvm::ArrayRef<Token> following) {
  // While the parser looks ahead, the preprocessor has already put a copy of the token aside to replay it.
  if (preprocessor_.isBacktrackEnabled() && preprocessor_.IsPreviousCachedToken(token))
    preprocessor_.ReplacePreviousCachedToken({replacement});
  insert(following);
  // The preprocessor passes the very token that it is about to return.
  const_cast<Token&>(token) = replacement;
}

void attribute_rewriter::insert(llvm::ArrayRef<Token> tokens) {
  auto copy = std::make_unique<Token[]>(tokens.size());
  std::copy(tokens.begin(), tokens.end(), copy.get());
  preprocessor_.EnterTokenStream(std::move(copy), static_cast<unsigned>(tokens.size()),
                                 /*DisableMacroExpansion=*/true, /*IsReinject=*/true);
}

Token attribute_rewriter::punctuator(tok::TokenKind kind, clang::SourceLocation location) const {
  Token result;
  result.startToken();
  result.setKind(kind);
  result.setLocation(location);
  result.setLength(1);
  return result;
}

Token attribute_rewriter::string_literal(llvm::StringRef text, clang::SourceLocation location) const {
  Token result;
  result.startToken();
  result.setKind(tok::string_literal);
  preprocessor_.CreateString(("\"" + text + "\"").str(), result, location, location);
  return result;
}

} // namespace falx::compiler
