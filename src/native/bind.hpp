// Arrays of Python and vectors of C++, for the files that know Python.

#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include "search.hpp"

namespace nb = nanobind;
using exactile::Index;

template <typename T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <typename T>
std::vector<T> copied(const Vector<T>& array) {
    return {array.data(), array.data() + array.shape(0)};
}

// Hand a vector over to numpy without copying it.
template <typename T>
auto as_array(std::vector<T>&& values, std::initializer_list<std::size_t> shape) {
    auto owned = std::make_unique<std::vector<T>>(std::move(values));
    T* const data = owned->data();
    nb::capsule owner(owned.get(),
                      [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    owned.release();
    return nb::ndarray<nb::numpy, T>(data, shape, owner);
}

// Solutions as rows of equal length, padded with -1.
inline nb::ndarray<nb::numpy, Index> padded(const exactile::Paths& paths) {
    std::size_t width = 0;
    std::size_t begin = 0;
    for (const std::size_t end : paths.ends) {
        width = std::max(width, end - begin);
        begin = end;
    }
    std::vector<Index> rows(paths.ends.size() * width, -1);
    begin = 0;
    for (std::size_t row = 0; row < paths.ends.size(); ++row) {
        std::copy(paths.moves.begin() + static_cast<std::ptrdiff_t>(begin),
                  paths.moves.begin() + static_cast<std::ptrdiff_t>(paths.ends[row]),
                  rows.begin() + static_cast<std::ptrdiff_t>(row * width));
        begin = paths.ends[row];
    }
    return as_array(std::move(rows), {paths.ends.size(), width});
}

// The parts of the module, one a file.
void bind_front(nb::module_& m);
void bind_first(nb::module_& m);
void bind_peg(nb::module_& m);
void bind_proof(nb::module_& m);
