// The only file that knows Python: arrays in, arrays out, the interpreter free while we work.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "bits.hpp"
#include "cover.hpp"
#include "dlx.hpp"
#include "grow.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using exactile::Index;

template <typename T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Forms = nb::ndarray<const std::int64_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

template <typename T>
static std::vector<T> copied(const Vector<T>& array) {
    return {array.data(), array.data() + array.shape(0)};
}

// Hand a vector over to numpy without copying it.
template <typename T>
static auto as_array(std::vector<T>&& values, std::initializer_list<std::size_t> shape) {
    auto owned = std::make_unique<std::vector<T>>(std::move(values));
    T* const data = owned->data();
    nb::capsule owner(owned.get(),
                      [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    owned.release();
    return nb::ndarray<nb::numpy, T>(data, shape, owner);
}

// Solutions as rows of equal length, padded with -1.
static nb::ndarray<nb::numpy, Index> padded(const exactile::Slice& slice) {
    std::size_t width = 0;
    std::int64_t begin = 0;
    for (const std::int64_t end : slice.ends) {
        width = std::max(width, static_cast<std::size_t>(end - begin));
        begin = end;
    }
    std::vector<Index> rows(slice.ends.size() * width, -1);
    begin = 0;
    for (std::size_t row = 0; row < slice.ends.size(); ++row) {
        std::copy(slice.solutions.begin() + begin, slice.solutions.begin() + slice.ends[row],
                  rows.begin() + static_cast<std::ptrdiff_t>(row * width));
        begin = slice.ends[row];
    }
    return as_array(std::move(rows), {slice.ends.size(), width});
}

// Both kernels look alike from Python.
template <typename Search>
static void bind_search(nb::module_& m, const char* name, const char* doc) {
    nb::class_<Search>(m, name, doc)
        .def(
            "__init__",
            [](Search* self, Vector<Index> lower, Vector<Index> upper, Vector<std::int64_t> first,
               Vector<Index> members) {
                new (self) Search(
                    exactile::Cover{copied(lower), copied(upper), copied(first), copied(members)});
            },
            "lower"_a, "upper"_a, "first"_a, "members"_a)
        .def(
            "run",
            [](Search& self, std::int64_t limit, double seconds) {
                exactile::Slice slice;
                {
                    nb::gil_scoped_release release;
                    slice = self.run(limit, seconds);
                }
                return nb::make_tuple(padded(slice), slice.exhausted);
            },
            "limit"_a, "seconds"_a,
            "Search on; return the solutions found, padded with -1, and whether all is searched.")
        .def_prop_ro("nodes", &Search::nodes)
        .def_prop_ro("updates", &Search::updates);
}

NB_MODULE(_native, m) {
    m.doc() = "Native core of exactile: exact-cover search and growth of polyforms.";

    bind_search<exactile::Dlx>(m, "Dlx", "Exact-cover search on sparse sets.");
    bind_search<exactile::Bits>(m, "Bits", "Exact-cover search on bit vectors.");

    nb::class_<exactile::Grower>(m, "Grower", "Collects the polyforms that are one unit larger.")
        .def(
            "__init__",
            [](exactile::Grower* self, int period, std::vector<int> types,
               std::vector<std::vector<int>> steps, Forms matrices) {
                std::vector<int> flat(matrices.data(), matrices.data() + matrices.size());
                new (self) exactile::Grower(
                    exactile::GrowthLattice{static_cast<int>(matrices.shape(2)), period,
                                            std::move(types), std::move(steps), std::move(flat)});
            },
            "period"_a, "types"_a, "steps"_a, "matrices"_a)
        .def(
            "extend",
            [](exactile::Grower& self, Forms forms) {
                nb::gil_scoped_release release;
                const std::size_t stride = forms.shape(1) * forms.shape(2);
                for (std::size_t f = 0; f < forms.shape(0); ++f)
                    self.extend(forms.data() + f * stride, forms.shape(1));
            },
            "forms"_a)
        .def(
            "forms",
            [](const exactile::Grower& self, std::size_t order, std::size_t dimension) {
                return as_array(self.forms(), {self.size(), order, dimension});
            },
            "order"_a, "dimension"_a)
        .def_prop_ro("size", &exactile::Grower::size);
}
