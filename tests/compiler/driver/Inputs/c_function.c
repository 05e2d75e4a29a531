/* Not C++: 'class' is a name. */
int c_function(int class) {
  return class + 1;
}
