#include "extern_template.hpp"
template struct scale<int>;
