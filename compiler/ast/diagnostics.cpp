// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnostics.hpp"
#include "dynamic_function_uses.hpp"

#include "attributes.hpp"
#include "device_globals.hpp"
#include "diagnostics_aspects.hpp"
#include "diagnostics_captures.hpp"
#include "diagnostics_constants.hpp"
#include "diagnostics_library.hpp"
#include "diagnostics_report.hpp"
#include "falx/aspect_names.hpp"
#include "function_kernels.hpp"
#include "kernel_collector.hpp"
#include "restricted_variables.hpp"
#include "work_group_variables.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtVisitor.h"
#include "clang/Sema/Sema.h"

/// \file
/// A depth-first walk over the bodies of device functions. Each body is visited once; the path of calls that
/// led there is kept for the notes, and a call of a function on that path is recursion. What a function with
/// the attribute device_has reaches is visited once more, for the optional features that it uses.
///
/// What is wrong within library code is no error there. It is remembered with the library function, passed on
/// to those that call it, and reported at each call in the user's code.

namespace falx::compiler {

/// Visits what is evaluated at run time: not the operands of sizeof, decltype, noexcept, not discarded
/// branches, not what the compiler evaluates itself.
class restriction_checker::walker : public clang::ConstStmtVisitor<walker> {
public:
  walker(clang::Sema& sema, bool is_unoptimized)
      : sema_(sema), context_(sema.Context), reporter_(sema), captures_(sema),
        is_unoptimized_(is_unoptimized) {}
  /// Reports what goes beyond \p limit, and nothing else. \p outer has come to the limit's owner.
  walker(const walker& outer, aspect_limit limit)
      : sema_(outer.sema_), context_(outer.context_), reporter_(outer.reporter_), captures_(outer.sema_),
        calls_(outer.calls_), limit_(std::move(limit)) {}

  void check(const clang::FunctionDecl& root);

  void VisitStmt(const clang::Stmt* statement) {
    for (const clang::Stmt* child : statement->children())
      walk(child);
  }

  // What is not evaluated, or not at run time.
  void VisitConstantExpr(const clang::ConstantExpr*) {}
  void VisitUnaryExprOrTypeTraitExpr(const clang::UnaryExprOrTypeTraitExpr*) {}
  void VisitCXXNoexceptExpr(const clang::CXXNoexceptExpr*) {}
  void VisitOffsetOfExpr(const clang::OffsetOfExpr*) {}
  void VisitTypeTraitExpr(const clang::TypeTraitExpr*) {}
  void VisitExpressionTraitExpr(const clang::ExpressionTraitExpr*) {}
  void VisitRequiresExpr(const clang::RequiresExpr*) {}
  void VisitConceptSpecializationExpr(const clang::ConceptSpecializationExpr*) {}
  void VisitBlockExpr(const clang::BlockExpr*) {}
  void VisitGenericSelectionExpr(const clang::GenericSelectionExpr* expression) {
    walk(expression->getResultExpr());
  }
  void VisitChooseExpr(const clang::ChooseExpr* expression) { walk(expression->getChosenSubExpr()); }
  void VisitCompoundStmt(const clang::CompoundStmt* statement);
  void VisitIfStmt(const clang::IfStmt* statement);
  void VisitWhileStmt(const clang::WhileStmt* statement) {
    walk_loop(*statement, statement->getCond(), nullptr);
  }
  void VisitForStmt(const clang::ForStmt* statement) {
    walk_loop(*statement, statement->getCond(), statement->getInit());
  }
  void VisitConditionalOperator(const clang::ConditionalOperator* expression);
  void VisitBinaryOperator(const clang::BinaryOperator* expression);

  // What clang keeps elsewhere than among the children.
  void VisitCXXDefaultArgExpr(const clang::CXXDefaultArgExpr* expression) { walk(expression->getExpr()); }
  void VisitCXXDefaultInitExpr(const clang::CXXDefaultInitExpr* expression) { walk(expression->getExpr()); }
  void VisitOpaqueValueExpr(const clang::OpaqueValueExpr* expression) {
    if (expression->getSourceExpr() != nullptr)
      walk(expression->getSourceExpr());
  }
  void VisitLambdaExpr(const clang::LambdaExpr* expression) {
    // The body is visited where it is called.
    for (const clang::Expr* capture : expression->capture_inits())
      walk(capture);
  }
  void VisitDeclStmt(const clang::DeclStmt* statement);

  // Calls, written or implied.
  void VisitCallExpr(const clang::CallExpr* call);
  void VisitCXXConstructExpr(const clang::CXXConstructExpr* expression) {
    VisitStmt(expression);
    call_function(expression->getConstructor(), expression->getExprLoc());
  }
  void VisitCXXInheritedCtorInitExpr(const clang::CXXInheritedCtorInitExpr* expression) {
    call_function(expression->getConstructor(), expression->getExprLoc());
  }
  void VisitCXXBindTemporaryExpr(const clang::CXXBindTemporaryExpr* expression) {
    VisitStmt(expression);
    call_function(expression->getTemporary()->getDestructor(), expression->getExprLoc());
  }
  void VisitCXXNewExpr(const clang::CXXNewExpr* expression);
  void VisitCXXDeleteExpr(const clang::CXXDeleteExpr* expression);

  // References to functions and variables.
  void VisitDeclRefExpr(const clang::DeclRefExpr* expression) {
    if (expression->isNonOdrUse() == clang::NOUR_None)
      reference(expression->getDecl(), expression->getExprLoc());
  }
  void VisitMemberExpr(const clang::MemberExpr* expression) {
    walk(expression->getBase());
    if (expression->isNonOdrUse() == clang::NOUR_None)
      reference(expression->getMemberDecl(), expression->getExprLoc());
  }

  // What device code cannot do at all.
  void VisitCXXThrowExpr(const clang::CXXThrowExpr* expression) {
    // The operand is not visited: it would only repeat the error in other words.
    if (!is_trusted(expression->getThrowLoc()))
      report(restriction::throw_expression, expression->getThrowLoc());
  }
  void VisitCXXTryStmt(const clang::CXXTryStmt* statement) {
    if (!is_trusted(statement->getTryLoc()))
      report(restriction::try_block, statement->getTryLoc());
    walk(statement->getTryBlock());
  }
  void VisitCXXTypeidExpr(const clang::CXXTypeidExpr* expression) {
    report(restriction::type_information, expression->getBeginLoc());
  }
  void VisitCXXDynamicCastExpr(const clang::CXXDynamicCastExpr* expression) {
    report(restriction::dynamic_cast_expression, expression->getBeginLoc());
    VisitStmt(expression);
  }
  void VisitAsmStmt(const clang::AsmStmt* statement) {
    if (!is_trusted(statement->getAsmLoc()))
      report(restriction::inline_assembly, statement->getAsmLoc());
    VisitStmt(statement);
  }
  void VisitCastExpr(const clang::CastExpr* expression) {
    // `double x = 0.1L` leaves no long double behind, nor does `float x = 0.1` leave a double.
    const clang::QualType from = expression->getSubExpr()->getType(), to = expression->getType();
    const bool loses_type = limit_ ? aspect_of_type(context_, from) != aspect_of_type(context_, to)
                                   : is_long_double(from) && !is_long_double(to);
    if (!loses_type || !expression->getSubExpr()->isEvaluatable(context_))
      VisitStmt(expression);
  }

private:
  template <class Loop>
  void walk_loop(const Loop& loop, const clang::Expr* condition, const clang::Stmt* init);
  void walk(const clang::Stmt* statement) {
    if (statement == nullptr)
      return;
    if (const auto* expression = llvm::dyn_cast<clang::Expr>(statement))
      check_type(expression->getType(), expression->getExprLoc());
    Visit(statement);
  }

  std::optional<bool> condition_on_devices(const clang::Expr& condition) {
    const std::optional<bool> constant = constant_condition(context_, condition);
    return constant ? constant : target_condition(condition);
  }
  /// A condition with parts that are evaluated when the program runs.
  void walk_undecided(const clang::Expr& condition) {
    if (!constant_condition(context_, condition))
      walk(&condition);
  }

  void variable(const clang::VarDecl& variable);
  void reference(const clang::ValueDecl* declaration, clang::SourceLocation location);
  void call_indirectly(const clang::CallExpr* call);
  /// \p call_site is where device code calls \p function, or where an object's lifetime implies it.
  void call_function(const clang::FunctionDecl* function, clang::SourceLocation call_site);
  void call_destructor_of(clang::QualType type, clang::SourceLocation location) {
    const clang::CXXRecordDecl* record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    if (record != nullptr && record->hasDefinition() && !record->hasTrivialDestructor())
      call_function(record->getDestructor(), location);
  }
  void check_declarations_once(const clang::FunctionDecl& function) {
    if (checked_declarations_.insert(function.getCanonicalDecl()).second)
      check_declarations(sema_, function);
  }
  void visit_definition(const clang::FunctionDecl& definition, clang::SourceLocation call_site);
  void visit_body(const clang::FunctionDecl& definition);
  void keep_for_device(const clang::FunctionDecl& definition);
  /// If \p definition has the attribute device_has: what it reaches uses no more than that lists.
  void check_listed_aspects(const clang::FunctionDecl& definition);

  bool is_long_double(clang::QualType type) const {
    const auto* builtin = context_.getBaseElementType(type)->getAs<clang::BuiltinType>();
    return builtin != nullptr && builtin->getKind() == clang::BuiltinType::LongDouble;
  }
  void check_type(clang::QualType type, clang::SourceLocation location) {
    check_long_double(type, location);
    if (limit_ && !is_trusted(location))
      if (const std::optional<sycl::aspect> feature = aspect_of_type(context_, type))
        use(*feature, location);
  }
  void use(sycl::aspect feature, clang::SourceLocation location) {
    if (limit_->is_violated_by(feature))
      reporter_.report(restriction::unlisted_aspect, location, &limit_->owner(), calls_, name_of(feature));
  }
  void check_long_double(clang::QualType type, clang::SourceLocation location) {
    // One error per function says it all.
    if (long_double_seen_ || !is_long_double(type) || is_trusted(location))
      return;
    long_double_seen_ = true;
    report(restriction::long_double, location);
  }

  bool is_trusted(clang::SourceLocation location) { return reporter_.is_trusted(location); }
  void report(restriction what, clang::SourceLocation location, const clang::NamedDecl* subject = nullptr) {
    if (limit_)
      return;
    if (is_trusted(location))
      add_library_problem({what, location, subject});
    else
      reporter_.report(what, location, subject, calls_);
  }
  /// Remembers it with the library function that is being visited.
  void add_library_problem(const library_problem& problem);
  /// Reports what \p callee, which has been visited, leads to; in library code, remembers it with the caller.
  void pass_on_library_problems(const clang::FunctionDecl& callee, clang::SourceLocation call_site);

  clang::Sema& sema_;
  const clang::ASTContext& context_;
  restriction_reporter reporter_;
  capture_checker captures_;
  bool is_unoptimized_ = false;
  /// The calls from the root to the function that is being visited; the root itself is not among them.
  llvm::SmallVector<call_frame> calls_;
  llvm::DenseSet<const clang::FunctionDecl*> visited_;
  llvm::DenseSet<const clang::FunctionDecl*> on_path_;
  llvm::DenseSet<const clang::FunctionDecl*> checked_declarations_;
  llvm::DenseSet<const clang::VarDecl*> visited_constants_;
  /// By canonical declaration: what a library function leads to without the user's code in between, one of a
  /// kind.
  llvm::DenseMap<const clang::FunctionDecl*, llvm::SmallVector<library_problem, 1>> library_problems_;
  bool long_double_seen_ = false;
  std::optional<aspect_limit> limit_;
};

void restriction_checker::walker::check(const clang::FunctionDecl& root) {
  std::string description;
  clang::SourceLocation location = root.getLocation();
  const clang::CXXRecordDecl* kernel = is_kernel_entry(root) ? user_kernel_of(root) : nullptr;
  if (kernel != nullptr) {
    description = "kernel '" + pretty_name_of(root) + "'";
    location = kernel->getLocation();
  } else if (!is_sycl_external(root)) {
    description = "'" + root.getQualifiedNameAsString() + "', which may define a dynamic function";
  } else {
    description = "SYCL_EXTERNAL function '" + root.getQualifiedNameAsString() + "'";
  }
  reporter_.set_root(std::move(description), location);
  if (kernel != nullptr)
    captures_.check(*kernel);
  if (kernel == nullptr && root.hasAttr<clang::AnnotateAttr>())
    check_declarations_once(root);
  if (!visited_.insert(root.getCanonicalDecl()).second)
    return;
  on_path_.insert(root.getCanonicalDecl());
  visit_body(root);
  check_listed_aspects(root);
  on_path_.erase(root.getCanonicalDecl());
}

void restriction_checker::walker::VisitCompoundStmt(const clang::CompoundStmt* statement) {
  bool is_reached = true;
  for (const clang::Stmt* child : statement->body()) {
    if (!is_reached && !can_be_jumped_into(child))
      continue;
    walk(child);
    is_reached = !returns_on_devices(child);
  }
}

void restriction_checker::walker::VisitIfStmt(const clang::IfStmt* statement) {
  if (statement->isConsteval()) {
    walk(statement->isNegatedConsteval() ? statement->getThen() : statement->getElse());
    return;
  }
  if (const std::optional<const clang::Stmt*> chosen = statement->getNondiscardedCase(context_)) {
    walk(statement->getInit());
    walk(*chosen);
    return;
  }
  // Nor does clang generate code for what a constant excludes, at any -O level.
  const std::optional<bool> known = condition_on_devices(*statement->getCond());
  const clang::Stmt* excluded = known.value_or(true) ? statement->getElse() : statement->getThen();
  if (known && !can_be_jumped_into(excluded)) {
    walk(statement->getInit());
    walk_undecided(*statement->getCond());
    walk(*known ? statement->getThen() : statement->getElse());
    return;
  }
  VisitStmt(statement);
}

/// A loop that devices do not enter.
template <class Loop>
void restriction_checker::walker::walk_loop(const Loop& loop, const clang::Expr* condition,
                                            const clang::Stmt* init) {
  const std::optional<bool> known = condition != nullptr ? condition_on_devices(*condition) : std::nullopt;
  if (!known.value_or(true) && !can_be_jumped_into(loop.getBody())) {
    walk(init);
    walk_undecided(*condition);
  } else {
    VisitStmt(&loop);
  }
}

void restriction_checker::walker::VisitConditionalOperator(const clang::ConditionalOperator* expression) {
  if (const std::optional<bool> known = condition_on_devices(*expression->getCond())) {
    walk_undecided(*expression->getCond());
    walk(*known ? expression->getTrueExpr() : expression->getFalseExpr());
  } else {
    VisitStmt(expression);
  }
}

void restriction_checker::walker::VisitBinaryOperator(const clang::BinaryOperator* expression) {
  if (expression->isLogicalOp()) {
    const std::optional<bool> left = condition_on_devices(*expression->getLHS());
    if (left && *left == (expression->getOpcode() == clang::BO_LOr))
      return walk_undecided(*expression->getLHS());
  }
  VisitStmt(expression);
}

void restriction_checker::walker::VisitDeclStmt(const clang::DeclStmt* statement) {
  for (const clang::Decl* declaration : statement->decls())
    if (const auto* declared = llvm::dyn_cast<clang::VarDecl>(declaration))
      variable(*declared);
}

void restriction_checker::walker::variable(const clang::VarDecl& variable) {
  const clang::SourceLocation location = variable.getLocation();
  if (variable.hasGlobalStorage()) {
    if (is_device_global(variable))
      return; // which device_globals.cpp reports
    if (is_work_group_static(variable.getType()))
      return note_work_group_variable(variable);
    if (variable.isStaticLocal() && !is_trusted(location) && !is_device_constant(context_, variable))
      report(variable.getTLSKind() != clang::VarDecl::TLS_None ? restriction::thread_local_variable
                                                               : restriction::mutable_static_local,
             location, &variable);
    return;
  }
  if (is_initialized_by_compiler(variable))
    check_long_double(variable.getType(), location);
  else
    check_type(variable.getType(), location);
  if (variable.getType()->isVariableArrayType() && !is_trusted(location))
    report(restriction::variable_length_array, location);
  if (!is_initialized_by_compiler(variable))
    walk(variable.getInit());
  if (const auto* decomposition = llvm::dyn_cast<clang::DecompositionDecl>(&variable))
    for (const clang::BindingDecl* binding : decomposition->bindings())
      if (const clang::VarDecl* holder = binding->getHoldingVar())
        this->variable(*holder);
  if (variable.needsDestruction(context_) == clang::QualType::DK_cxx_destructor)
    call_destructor_of(variable.getType(), location);
}

void restriction_checker::walker::reference(const clang::ValueDecl* declaration,
                                            clang::SourceLocation location) {
  if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
    // Its address was taken, so it may be called through a pointer.
    const clang::FunctionDecl* definition = nullptr;
    if (function->hasBody(definition) && !on_path_.contains(function->getCanonicalDecl()))
      call_function(function, location);
    return;
  }
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
  if (is_work_group_static(declaration->getType()) &&
      (variable == nullptr || !variable->hasGlobalStorage() || variable->getType()->isArrayType()))
    return report(restriction::misplaced_work_group_static, location, declaration);
  if (variable == nullptr || !variable->hasGlobalStorage())
    return;
  if (is_work_group_static(variable->getType()))
    return note_work_group_variable(*variable);
  if (is_host_stream(variable->getType())) {
    report(restriction::output, location, variable);
    return;
  }
  if (is_device_global(*variable)) {
    if (variable->hasDefinition(sema_.Context) == clang::VarDecl::DeclarationOnly &&
        !is_sycl_external(*variable))
      report(restriction::undefined_device_global, location, variable);
    note_device_global(*variable);
    return;
  }
  if (is_device_constant(context_, *variable)) {
    if (visited_constants_.insert(variable->getCanonicalDecl()).second)
      for (const clang::FunctionDecl* function : functions_in_constant(*variable))
        reference(function, location);
    return;
  }
  // The function that declares a static local reports it there.
  const auto* owner = llvm::dyn_cast<clang::FunctionDecl>(variable->getDeclContext());
  if (is_trusted(location) || (owner != nullptr && visited_.contains(owner->getCanonicalDecl())))
    return;
  report(variable->getTLSKind() != clang::VarDecl::TLS_None ? restriction::thread_local_variable
                                                            : restriction::mutable_global,
         location, variable);
}

void restriction_checker::walker::VisitCallExpr(const clang::CallExpr* call) {
  if (call->isUnevaluatedBuiltinCall(context_))
    return;
  if (!limit_ && !is_trusted(call->getExprLoc()) && is_host_stream(call->getType())) {
    // A chain of << is one error, whatever it writes.
    report(restriction::output, call->getBeginLoc(), first_operand(*call));
    return;
  }
  if (const clang::FunctionDecl* direct = call->getDirectCallee();
      direct != nullptr && classify_library_function(*direct) == library_function::output) {
    // stderr would be one more error.
    report(restriction::output, call->getExprLoc(), direct);
    return;
  }
  for (const clang::Expr* argument : call->arguments())
    walk(argument);
  const clang::Expr* callee = call->getCallee()->IgnoreParenImpCasts();
  if (llvm::isa<clang::CXXPseudoDestructorExpr>(callee)) {
    VisitStmt(callee);
    return;
  }
  const auto* function = llvm::dyn_cast_or_null<clang::FunctionDecl>(call->getCalleeDecl());
  if (function == nullptr) {
    call_indirectly(call);
    return;
  }
  const clang::Expr* object = nullptr;
  bool qualified = false;
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(callee)) {
    object = member->getBase();
    qualified = member->hasQualifier();
    walk(object);
  } else if (llvm::isa<clang::CXXOperatorCallExpr>(call) && call->getNumArgs() != 0) {
    object = call->getArg(0);
  }
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  if (method != nullptr && method->isVirtual() && object != nullptr && !qualified) {
    method = method->getDevirtualizedMethod(object, /*IsAppleKext=*/false);
    if (method == nullptr) {
      report(restriction::virtual_call, call->getExprLoc(), function);
      return;
    }
    function = method;
  }
  call_function(function, call->getExprLoc());
}

void restriction_checker::walker::call_indirectly(const clang::CallExpr* call) {
  const clang::Expr* callee = call->getCallee();
  if (const clang::FunctionDecl* function = constant_function(context_, *callee)) {
    call_function(function, call->getExprLoc());
    return;
  }
  walk(callee);
  if (is_trusted(call->getExprLoc()))
    return;
  const bool is_member =
      callee->IgnoreParens()->getType()->isSpecificPlaceholderType(clang::BuiltinType::BoundMember);
  report(is_member ? restriction::member_pointer_call : restriction::function_pointer_call,
         call->getExprLoc());
}

void restriction_checker::walker::VisitCXXNewExpr(const clang::CXXNewExpr* expression) {
  const clang::FunctionDecl* operator_new = expression->getOperatorNew();
  if (operator_new != nullptr && classify_library_function(*operator_new) == library_function::allocation) {
    // std::nothrow would be one more error.
    walk(expression->getInitializer());
    report(restriction::allocation, expression->getBeginLoc());
    return;
  }
  VisitStmt(expression);
  if (operator_new != nullptr)
    call_function(operator_new, expression->getBeginLoc());
}

void restriction_checker::walker::VisitCXXDeleteExpr(const clang::CXXDeleteExpr* expression) {
  VisitStmt(expression);
  const clang::FunctionDecl* operator_delete = expression->getOperatorDelete();
  if (operator_delete != nullptr)
    call_function(operator_delete, expression->getBeginLoc());
  call_destructor_of(expression->getDestroyedType(), expression->getBeginLoc());
}

void restriction_checker::walker::call_function(const clang::FunctionDecl* function,
                                                clang::SourceLocation call_site) {
  if (function == nullptr || function->isImmediateFunction())
    return;
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function)) {
    // A captureless lambda that became a function pointer.
    if (method->isLambdaStaticInvoker() && !method->getParent()->isGenericLambda())
      function = method->getParent()->getLambdaCallOperator();
    else if (method->isTrivial() && !method->isUserProvided())
      return;
  }
  if (limit_) {
    if (const std::optional<sycl::aspect> feature = aspect_of_builtin(*function))
      use(*feature, call_site);
    if (const auto listed = listed_aspects(sema_, *function))
      for (const std::size_t feature : *listed)
        use(sycl::aspect(feature), call_site);
  }
  if (!limit_ && function->hasAttr<clang::AnnotateAttr>() && !is_trusted(function->getLocation()))
    check_declarations_once(*function);
  switch (classify_library_function(*function)) {
  case library_function::provided:
    return;
  case library_function::allocation:
    report(restriction::allocation, call_site);
    return;
  case library_function::dynamic_stack:
    report(restriction::variable_length_array, call_site);
    return;
  case library_function::output: // its address is taken
    report(restriction::output, call_site, function);
    return;
  case library_function::unknown:
    break;
  }
  if (function->isVariadic() && !is_trusted(call_site)) {
    report(restriction::variadic_call, call_site, function);
    return;
  }
  const clang::FunctionDecl* definition = nullptr;
  if (function->hasBody(definition)) {
    visit_definition(*definition, call_site);
    return;
  }
  const bool is_trap = is_trusted(call_site) && function->isNoReturn();
  if (!function->isDefaulted() && !is_sycl_external(*function) && !is_trap && !is_dynamic_function(*function))
    report(is_trusted(function->getLocation()) ? restriction::library_function
                                               : restriction::undefined_function,
           call_site, function);
}

void restriction_checker::walker::visit_definition(const clang::FunctionDecl& definition,
                                                   clang::SourceLocation call_site) {
  if (limit_ && is_annotated(definition, "falx.optional"))
    return; // what is for devices that have more
  const clang::FunctionDecl* canonical = definition.getCanonicalDecl();
  if (on_path_.contains(canonical)) {
    report(restriction::recursion, call_site, &definition);
    return;
  }
  if (!visited_.insert(canonical).second) {
    pass_on_library_problems(definition, call_site);
    return;
  }
  on_path_.insert(canonical);
  keep_for_device(definition);
  note_restricted_variables(definition);
  calls_.push_back({&definition, call_site});
  const bool outer_long_double_seen = std::exchange(long_double_seen_, false);
  sema_.runWithSufficientStackSpace(definition.getLocation(), [&] {
    visit_body(definition);
    check_listed_aspects(definition);
  });
  long_double_seen_ = outer_long_double_seen;
  calls_.pop_back();
  on_path_.erase(canonical);
  pass_on_library_problems(definition, call_site);
}

void restriction_checker::walker::add_library_problem(const library_problem& problem) {
  if (calls_.empty())
    return; // in the entry, which only calls the user's function
  auto& problems = library_problems_[calls_.back().callee->getCanonicalDecl()];
  for (const library_problem& known : problems)
    if (known.what == problem.what)
      return;
  problems.push_back(problem);
}

void restriction_checker::walker::pass_on_library_problems(const clang::FunctionDecl& callee,
                                                           clang::SourceLocation call_site) {
  const auto found = library_problems_.find(callee.getCanonicalDecl());
  if (limit_ || found == library_problems_.end())
    return;
  if (is_trusted(call_site)) {
    for (const library_problem& problem : llvm::SmallVector<library_problem, 1>(found->second))
      add_library_problem(problem);
    return;
  }
  library_problem most_telling = found->second.front();
  for (const library_problem& problem : llvm::drop_begin(found->second))
    if (problem.what < most_telling.what)
      most_telling = problem;
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&callee);
  if (method != nullptr && is_host_stream(context_.getCanonicalTagType(method->getParent())))
    most_telling.what = restriction::output;
  reporter_.report_in_library(most_telling, callee, call_site, calls_);
}

/// Of a function that another translation unit instantiates (`extern template`), clang keeps the definition
/// only for inlining, and not at -O0. A device has no other.
void restriction_checker::walker::keep_for_device(const clang::FunctionDecl& definition) {
  const bool is_dropped = is_unoptimized_ && !definition.hasAttr<clang::NoInlineAttr>() &&
                          context_.GetGVALinkageForFunction(&definition) == clang::GVA_AvailableExternally;
  if (is_dropped && !limit_ && !definition.hasAttr<clang::AlwaysInlineAttr>())
    const_cast<clang::FunctionDecl&>(definition)
        .addAttr(clang::AlwaysInlineAttr::CreateImplicit(sema_.Context));
}

void restriction_checker::walker::visit_body(const clang::FunctionDecl& definition) {
  check_type(definition.getReturnType(), definition.getLocation());
  for (const clang::ParmVarDecl* parameter : definition.parameters()) {
    check_type(parameter->getType(), parameter->getLocation());
    if (parameter->needsDestruction(context_) == clang::QualType::DK_cxx_destructor)
      call_destructor_of(parameter->getType(), parameter->getLocation());
  }
  if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(&definition))
    for (const clang::CXXCtorInitializer* initializer : constructor->inits())
      walk(initializer->getInit());
  walk(definition.getBody());
  if (const auto* destructor = llvm::dyn_cast<clang::CXXDestructorDecl>(&definition)) {
    const clang::CXXRecordDecl* record = destructor->getParent();
    for (const clang::FieldDecl* field : record->fields())
      if (!record->isUnion())
        call_destructor_of(field->getType(), destructor->getLocation());
    for (const clang::CXXBaseSpecifier& base : record->bases())
      call_destructor_of(base.getType(), destructor->getLocation());
  }
}

void restriction_checker::walker::check_listed_aspects(const clang::FunctionDecl& definition) {
  if (limit_)
    return;
  if (std::optional<std::vector<std::size_t>> listed = listed_aspects(sema_, definition))
    walker(*this, aspect_limit(definition, std::move(*listed))).visit_body(definition);
}

bool is_sycl_external(const clang::ValueDecl& declared) {
  if (is_free_function_kernel(declared))
    return true;
  for (const clang::Decl* declaration : declared.redecls())
    for (const auto* annotation : declaration->specific_attrs<clang::AnnotateAttr>())
      if (annotation->getAnnotation() == "falx.external")
        return true;
  return false;
}

restriction_checker::restriction_checker(clang::Sema& sema, bool is_unoptimized)
    : walker_(std::make_unique<walker>(sema, is_unoptimized)) {}
restriction_checker::~restriction_checker() = default;
void restriction_checker::check(const clang::FunctionDecl& root) {
  walker_->check(root);
}

} // namespace falx::compiler
