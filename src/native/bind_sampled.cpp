// Sampled frontiers for Python.

#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "bind.hpp"
#include "sampled.hpp"

using namespace nb::literals;

void bind_sampled(nb::module_& m) {
    using exactile::SampledPlan;
    using exactile::SampledRun;
    nb::class_<SampledPlan>(m, "SampledPlan", "What all runs of a sampled frontier have in common.")
        .def(
            "__init__",
            [](SampledPlan* self, Vector<Index> lower, Vector<Index> upper,
               Vector<std::int64_t> first, Vector<Index> members, Vector<Index> colors,
               Vector<Index> rank, Vector<bool> supplied) {
                const exactile::CountProblem problem{copied(lower),   copied(upper),  copied(first),
                                                     copied(members), copied(colors), copied(rank)};
                const std::vector<bool> in_supply(supplied.data(),
                                                  supplied.data() + supplied.shape(0));
                nb::gil_scoped_release release;
                new (self) SampledPlan(problem, in_supply);
            },
            "lower"_a, "upper"_a, "first"_a, "members"_a, "colors"_a, "rank"_a, "supplied"_a)
        .def_prop_ro("levels", &SampledPlan::levels)
        .def_prop_ro("words", [](const SampledPlan& self) { return self.plan().words; });
    nb::class_<SampledRun>(m, "SampledRun", "One estimate of the number of solutions.")
        .def(
            "__init__",
            [](SampledRun* self, std::shared_ptr<SampledPlan> plan, std::uint64_t seed,
               std::uint64_t states, std::uint64_t endings, std::uint64_t last, std::uint64_t most,
               bool merge, bool prune) {
                nb::gil_scoped_release release;
                new (self)
                    SampledRun(std::move(plan), {states, endings, last, most, merge, prune}, seed);
            },
            "plan"_a, "seed"_a, "states"_a, "endings"_a, "last"_a, "most"_a, "merge"_a, "prune"_a)
        .def("advance", &SampledRun::advance, "seconds"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Work on; return whether it is over.")
        .def_prop_ro("mantissa", &SampledRun::mantissa)
        .def_prop_ro("exponent", &SampledRun::exponent)
        .def_prop_ro("thinned", &SampledRun::thinned)
        .def_prop_ro("made", &SampledRun::made)
        .def_prop_ro("reached", &SampledRun::reached);
}
