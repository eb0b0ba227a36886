// The searches for Python: arrays in, arrays out, the interpreter free while we work.

#include "bind.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "count.hpp"
#include "engine.hpp"
#include "grow.hpp"
#include "holes.hpp"
#include "similar.hpp"
#include "tally.hpp"

using namespace nb::literals;

// The kernel of a name, checked here although Python has checked it.
static exactile::Method method_called(const std::string& name) {
    if (name == "bits") return exactile::Method::kBits;
    if (name == "sparse") return exactile::Method::kSparse;
    throw std::invalid_argument("there is no kernel '" + name + "'");
}

using Forms = nb::ndarray<const std::int64_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using Vectors = nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Shades = nb::ndarray<const Index, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

static exactile::GrowthLattice lattice(int period, std::vector<int> types,
                                       std::vector<std::vector<int>> steps, const Forms& matrices) {
    std::vector<int> flat(matrices.data(), matrices.data() + matrices.size());
    return {static_cast<int>(matrices.shape(2)), period, std::move(types), std::move(steps),
            std::move(flat)};
}

static std::vector<std::vector<Index>> rows(const Shades& shades) {
    std::vector<std::vector<Index>> result;
    for (std::size_t row = 0; row < shades.shape(0); ++row) {
        const Index* begin = shades.data() + row * shades.shape(1);
        result.emplace_back(begin, begin + shades.shape(1));
    }
    return result;
}

static void bind_engine(nb::module_& m) {
    using exactile::Engine;
    using exactile::Prefix;
    nb::class_<Engine>(m, "Engine", "Exact-cover search that can be cut up and shared.")
        .def(
            "__init__",
            [](Engine* self, Vector<Index> lower, Vector<Index> upper, Vector<std::int64_t> first,
               Vector<Index> members, Vector<Index> colors, const std::string& method, bool endgame,
               const std::string& isa, bool components, bool balance, Index pieces, Index units,
               Shades shades) {
                new (self) Engine(exactile::Cover{copied(lower), copied(upper), copied(first),
                                                  copied(members), copied(colors)},
                                  exactile::Tuning{method_called(method),
                                                   endgame,
                                                   isa,
                                                   exactile::Prunings{components, balance, pieces,
                                                                      units, rows(shades)},
                                                   {}});
            },
            "lower"_a, "upper"_a, "first"_a, "members"_a, "colors"_a, "method"_a, "endgame"_a,
            "isa"_a, "components"_a, "balance"_a, "pieces"_a, "units"_a, "shades"_a)
        .def(
            "run",
            [](Engine& self, std::int64_t limit, double seconds, std::uint64_t nodes, int workers,
               bool ordered, bool keep) {
                {
                    nb::gil_scoped_release release;
                    self.run({limit, nodes, seconds, workers, ordered, keep, [&self] {
                                  if (self.cancelled()) return true;
                                  nb::gil_scoped_acquire acquire;
                                  return PyErr_CheckSignals() != 0;
                              }});
                }
                if (PyErr_Occurred()) throw nb::python_error();
            },
            "limit"_a, "seconds"_a, "nodes"_a, "workers"_a = 1, "ordered"_a = false,
            "keep"_a = true, "Search until a limit is reached or nothing is left.")
        .def("cancel", &Engine::cancel, "End the present run, and all to come, soon.")
        .def(
            "take",
            [](Engine& self, std::int64_t limit) {
                exactile::Paths taken;
                {
                    nb::gil_scoped_release release;
                    taken = self.take(limit);
                }
                return padded(taken);
            },
            "limit"_a, "Return solutions found and not taken yet, padded with -1.")
        .def(
            "untaken",
            [](const Engine& self) {
                exactile::Paths all;
                {
                    nb::gil_scoped_release release;
                    all = self.untaken();
                }
                return padded(all);
            },
            "Return all solutions found and not taken yet, padded with -1; they stay.")
        .def("prefixes",
             [](const Engine& self) {
                 std::vector<Prefix> prefixes;
                 {
                     nb::gil_scoped_release release;
                     prefixes = self.prefixes();
                 }
                 nb::list paths, weights;
                 for (const Prefix& prefix : prefixes) {
                     paths.append(nb::cast(prefix.path));
                     weights.append(prefix.weight);
                 }
                 return nb::make_tuple(paths, weights);
             })
        .def(
            "set_prefixes",
            [](Engine& self, std::vector<std::vector<Index>> paths, std::vector<double> weights) {
                std::vector<Prefix> prefixes;
                for (std::size_t k = 0; k < paths.size(); ++k)
                    prefixes.push_back({std::move(paths[k]), weights.at(k)});
                nb::gil_scoped_release release;
                self.set_prefixes(std::move(prefixes));
            },
            "paths"_a, "weights"_a)
        .def_prop_ro("exhausted", &Engine::exhausted, nb::call_guard<nb::gil_scoped_release>())
        .def_prop_ro("remaining", &Engine::remaining, nb::call_guard<nb::gil_scoped_release>())
        .def_prop_ro("nodes", &Engine::nodes, nb::call_guard<nb::gil_scoped_release>())
        .def_prop_ro("updates", &Engine::updates, nb::call_guard<nb::gil_scoped_release>())
        .def_prop_ro("count", &Engine::count, nb::call_guard<nb::gil_scoped_release>())
        .def_prop_ro("slowest_replay", &Engine::slowest_replay,
                     nb::call_guard<nb::gil_scoped_release>());
    m.def(
        "extended",
        [](Vector<std::int64_t> first, Vector<Index> members, Vector<Index> options,
           Vector<Index> items) {
            exactile::Options found;
            {
                const exactile::Options own{copied(first), copied(members)};
                nb::gil_scoped_release release;
                found = exactile::extended(own, copied(options), copied(items));
            }
            const std::size_t starts = found.first.size();
            const std::size_t size = found.members.size();
            return nb::make_tuple(as_array(std::move(found.first), {starts}),
                                  as_array(std::move(found.members), {size}));
        },
        "first"_a, "members"_a, "options"_a, "items"_a,
        "Return options with further members behind their own, in the order given.");
    m.def("instruction_sets", &exactile::instruction_sets,
          "Return the instruction sets to choose from, the best first.");
}

static void bind_counter(nb::module_& m) {
    using exactile::Counter;
    using exactile::Limb;
    nb::class_<Counter>(m, "Counter",
                        "Counts the solutions of a cover problem by a memo on states.")
        .def(
            "__init__",
            [](Counter* self, Vector<Index> lower, Vector<Index> upper, Vector<std::int64_t> first,
               Vector<Index> members, Vector<Index> colors, Vector<Index> rank, bool keep,
               std::uint64_t most_states, std::uint64_t most_bytes, bool prune) {
                const exactile::CountProblem problem{copied(lower),   copied(upper),  copied(first),
                                                     copied(members), copied(colors), copied(rank)};
                nb::gil_scoped_release release;
                new (self) Counter(problem, keep, most_states, most_bytes, prune);
            },
            "lower"_a, "upper"_a, "first"_a, "members"_a, "colors"_a, "rank"_a, "keep"_a,
            "most_states"_a, "most_bytes"_a, "prune"_a)
        .def(
            "run",
            [](Counter& self, double seconds) { return static_cast<int>(self.run(seconds)); },
            "seconds"_a, nb::call_guard<nb::gil_scoped_release>(),
            "Count on; 0 running, 1 done, 2 too many states, 3 out of memory.")
        .def("weigh", &Counter::weigh, "seconds"_a, nb::call_guard<nb::gil_scoped_release>())
        .def("tally", &Counter::tally, "seconds"_a, nb::call_guard<nb::gil_scoped_release>())
        .def(
            "total", [](const Counter& self) { return as_array(self.total(), {self.limbs()}); },
            "The number of solutions in 32-bit limbs, least first.")
        .def(
            "tallies",
            [](const Counter& self) {
                std::vector<Limb> copy(self.tallies());
                const std::size_t options = copy.size() / self.limbs();
                return as_array(std::move(copy), {options, self.limbs()});
            },
            "How many solutions contain each option, after tally.")
        .def(
            "unrank",
            [](const Counter& self, Numbers numbers) {
                return unranked(numbers, self.limbs(),
                                [&](const Limb* number) { return self.unrank(number); });
            },
            "numbers"_a, "The solutions of some numbers below the total, padded with -1.")
        .def_prop_ro("limbs", &Counter::limbs)
        .def_prop_ro("states", &Counter::states)
        .def_prop_ro("edges", &Counter::edges)
        .def_prop_ro("layers", &Counter::layers)
        .def_prop_ro("layer", &Counter::layer)
        .def_prop_ro("width", &Counter::width);
}

static void bind_similar(nb::module_& m) {
    using Table = nb::ndarray<const Index, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
    m.def(
        "find_moves",
        [](Table owners, Table pieces, Table images, Vector<std::uint8_t> wanted) {
            if (pieces.shape(0) != owners.shape(0) || images.shape(1) != owners.shape(1) ||
                wanted.shape(0) != images.shape(0))
                throw std::invalid_argument("the arrays do not fit together");
            exactile::Moves moves;
            {
                nb::gil_scoped_release release;
                moves = exactile::find_moves({owners.shape(0), owners.shape(1), pieces.shape(1),
                                              images.shape(0), owners.data(), pieces.data(),
                                              images.data(), wanted.data()});
            }
            const std::size_t records = moves.solutions.size();
            const std::size_t placements = moves.placements.size();
            return nb::make_tuple(as_array(std::move(moves.solutions), {records}),
                                  as_array(std::move(moves.maps), {records}),
                                  as_array(std::move(moves.first), {records + 1}),
                                  as_array(std::move(moves.placements), {placements}),
                                  moves.cut_short);
        },
        "owners"_a, "pieces"_a, "images"_a, "wanted"_a,
        "Return what maps of units move within solutions so that the same units stay covered.");
}

NB_MODULE(_native, m) {
    m.doc() = "Native core of exactile: exact-cover search and growth of polyforms.";

    bind_engine(m);

    bind_counter(m);

    bind_first(m);

    bind_assembly(m);
    bind_front(m);

    bind_proof(m);
    bind_sampled(m);

    bind_similar(m);

    bind_peg(m);
    bind_tiling(m);

    nb::class_<exactile::Grower>(m, "Grower", "Collects the polyforms that are one unit larger.")
        .def(
            "__init__",
            [](exactile::Grower* self, int period, std::vector<int> types,
               std::vector<std::vector<int>> steps, Forms matrices) {
                new (self)
                    exactile::Grower(lattice(period, std::move(types), std::move(steps), matrices));
            },
            "period"_a, "types"_a, "steps"_a, "matrices"_a)
        .def(
            "extend",
            [](exactile::Grower& self, Forms forms) {
                if (forms.shape(2) != self.dimension())
                    throw std::invalid_argument("the forms have a wrong number of coordinates");
                nb::gil_scoped_release release;
                const std::size_t stride = forms.shape(1) * forms.shape(2);
                for (std::size_t f = 0; f < forms.shape(0); ++f)
                    self.extend(forms.data() + f * stride, forms.shape(1));
            },
            "forms"_a)
        .def(
            "forms",
            [](const exactile::Grower& self, std::size_t order, std::size_t dimension) {
                std::vector<std::int64_t> forms = self.forms();
                if (forms.size() != self.size() * order * dimension)
                    throw std::invalid_argument("the forms have another order or dimension");
                return as_array(std::move(forms), {self.size(), order, dimension});
            },
            "order"_a, "dimension"_a)
        .def_prop_ro("size", &exactile::Grower::size);

    nb::class_<exactile::FormTally>(m, "FormTally", "Counts the polyforms of an order.")
        .def(
            "__init__",
            [](exactile::FormTally* self, int period, std::vector<int> types,
               std::vector<std::vector<int>> steps, Forms matrices, int order) {
                new (self) exactile::FormTally(
                    lattice(period, std::move(types), std::move(steps), matrices), order);
            },
            "period"_a, "types"_a, "steps"_a, "matrices"_a, "order"_a)
        .def("run", &exactile::FormTally::run, "seconds"_a,
             nb::call_guard<nb::gil_scoped_release>())
        .def_prop_ro("met", &exactile::FormTally::met)
        .def_prop_ro("forms", &exactile::FormTally::forms);

    m.def(
        "encloses_units",
        [](int period, std::vector<int> types, std::vector<std::vector<int>> steps, Forms matrices,
           Vectors form) {
            const auto grid = lattice(period, std::move(types), std::move(steps), matrices);
            grid.check();
            if (form.shape(1) != static_cast<std::size_t>(grid.dimension))
                throw std::invalid_argument("the form has a wrong number of coordinates");
            return exactile::encloses_units(grid, form.data(), form.shape(0));
        },
        "period"_a, "types"_a, "steps"_a, "matrices"_a, "form"_a);
}
