// Sampled frontiers for Python.

#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "bind.hpp"
#include "guided.hpp"
#include "sampled.hpp"

using namespace nb::literals;

static void bind_guided(nb::module_& m) {
    using exactile::Guide;
    using exactile::GuidedRun;
    nb::class_<Guide>(m, "Guide", "What states of a sampled frontier are worth.")
        .def(
            "__init__",
            [](Guide* self, Vector<Index> lower, Vector<Index> upper, Vector<std::int64_t> first,
               Vector<Index> members, Vector<Index> colors, Vector<Index> rank,
               Vector<bool> supplied, std::uint64_t most_nodes, std::uint64_t most_bytes,
               std::uint64_t most_endings) {
                const exactile::CountProblem problem{copied(lower),   copied(upper),  copied(first),
                                                     copied(members), copied(colors), copied(rank)};
                const std::vector<bool> in_supply(supplied.data(),
                                                  supplied.data() + supplied.shape(0));
                nb::gil_scoped_release release;
                new (self) Guide(problem, in_supply, {most_nodes, most_bytes, most_endings});
            },
            "lower"_a, "upper"_a, "first"_a, "members"_a, "colors"_a, "rank"_a, "supplied"_a,
            "most_nodes"_a, "most_bytes"_a, "most_endings"_a)
        .def(
            "build",
            [](Guide& self, double seconds) { return static_cast<int>(self.build(seconds)); },
            "seconds"_a, nb::call_guard<nb::gil_scoped_release>(),
            "Work on; 0 building, 1 done, 2 too large.")
        .def_prop_ro("met", &Guide::met)
        .def_prop_ro("levels", &Guide::levels)
        .def_prop_ro("nodes", &Guide::nodes)
        .def_prop_ro("endings", &Guide::endings)
        .def_prop_ro("bytes", &Guide::bytes);
    nb::class_<GuidedRun>(m, "GuidedRun", "One estimate of the number of solutions, by a guide.")
        .def(
            "__init__",
            [](GuidedRun* self, std::shared_ptr<Guide> guide, std::uint64_t seed,
               std::uint64_t states, std::uint64_t most) {
                nb::gil_scoped_release release;
                new (self) GuidedRun(std::move(guide), states, most, seed);
            },
            "guide"_a, "seed"_a, "states"_a, "most"_a)
        .def("advance", &GuidedRun::advance, "seconds"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Work on; return whether it is over.")
        .def_prop_ro("mantissa", &GuidedRun::mantissa)
        .def_prop_ro("exponent", &GuidedRun::exponent)
        .def_prop_ro("thinned", &GuidedRun::thinned)
        .def_prop_ro("made", &GuidedRun::made)
        .def_prop_ro("reached", &GuidedRun::reached);
}

void bind_sampled(nb::module_& m) {
    using exactile::SampledPlan;
    using exactile::SampledRun;
    bind_guided(m);
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
               bool merge, bool prune, bool balance, bool traced) {
                nb::gil_scoped_release release;
                new (self)
                    SampledRun(std::move(plan),
                               {states, endings, last, most, merge, prune, balance, traced}, seed);
            },
            "plan"_a, "seed"_a, "states"_a, "endings"_a, "last"_a, "most"_a, "merge"_a, "prune"_a,
            "balance"_a, "traced"_a)
        .def(
            "draw",
            [](const SampledRun& self, std::size_t number, std::uint64_t seed) {
                exactile::Paths drawn;
                {
                    nb::gil_scoped_release release;
                    drawn = self.draw(number, seed);
                }
                return padded(drawn);
            },
            "number"_a, "seed"_a,
            "Return solutions, if it was traced; each of them is drawn by its weight.")
        .def("advance", &SampledRun::advance, "seconds"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Work on; return whether it is over.")
        .def_prop_ro("mantissa", &SampledRun::mantissa)
        .def_prop_ro("exponent", &SampledRun::exponent)
        .def_prop_ro("thinned", &SampledRun::thinned)
        .def_prop_ro("made", &SampledRun::made)
        .def_prop_ro("reached", &SampledRun::reached);
}
