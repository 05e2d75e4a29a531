#pragma once
template <class T>
struct scale {
  T factor;
  T of(T value) const { return factor * inner(value); }
  inline T inner(T value) const;
};
template <class T>
inline T scale<T>::inner(T value) const {
  return value + 1;
}
extern template struct scale<int>;
