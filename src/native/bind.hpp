// Arrays of Python and vectors of C++, for the files that use Python.

#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <stdexcept>
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

// Natural numbers as rows of 32-bit limbs, least first.
using Numbers = nb::ndarray<const std::uint32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// The solutions of some numbers, as `padded`; `unrank` returns the options of one.
template <typename Unrank>
auto unranked(const Numbers& numbers, std::size_t limbs, Unrank unrank) {
    if (numbers.shape(1) != limbs)
        throw std::invalid_argument("the numbers have a wrong number of limbs");
    exactile::Paths paths;
    {
        nb::gil_scoped_release release;
        for (std::size_t k = 0; k < numbers.shape(0); ++k)
            paths.add(unrank(numbers.data() + k * limbs));
    }
    return padded(paths);
}

// The parts of the module, one a file.
void bind_assembly(nb::module_& m);
void bind_front(nb::module_& m);
void bind_first(nb::module_& m);
void bind_peg(nb::module_& m);
void bind_proof(nb::module_& m);
void bind_sampled(nb::module_& m);
void bind_tiling(nb::module_& m);
