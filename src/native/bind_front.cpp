// Counting by a frontier for Python.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "bind.hpp"
#include "front_count.hpp"

using namespace nb::literals;

void bind_front(nb::module_& m) {
    using exactile::FrontCounter;
    nb::exception<exactile::ScratchError>(m, "ScratchError", PyExc_OSError);
    nb::class_<FrontCounter>(m, "FrontCounter",
                             "Counts the solutions of a cover problem by a front.")
        .def(
            "__init__",
            [](FrontCounter* self, Vector<Index> lower, Vector<Index> upper,
               Vector<std::int64_t> first, Vector<Index> members, Vector<Index> colors,
               Vector<Index> rank, Vector<bool> supplied, std::uint64_t most_nodes,
               std::uint64_t most_bytes, std::uint64_t most_list_bytes, int workers,
               std::string scratch, bool keep, bool one_sided) {
                const exactile::CountProblem problem{copied(lower),   copied(upper),  copied(first),
                                                     copied(members), copied(colors), copied(rank)};
                const std::vector<bool> in_supply(supplied.data(),
                                                  supplied.data() + supplied.shape(0));
                nb::gil_scoped_release release;
                new (self) FrontCounter(problem, in_supply,
                                        {most_nodes, most_bytes, most_list_bytes, workers,
                                         std::move(scratch), keep, one_sided});
            },
            "lower"_a, "upper"_a, "first"_a, "members"_a, "colors"_a, "rank"_a, "supplied"_a,
            "most_nodes"_a, "most_bytes"_a, "most_list_bytes"_a, "workers"_a, "scratch"_a, "keep"_a,
            "one_sided"_a)
        .def(
            "build",
            [](FrontCounter& self, double seconds) {
                return static_cast<int>(self.build(seconds));
            },
            "seconds"_a, nb::call_guard<nb::gil_scoped_release>(),
            "Build the automaton; 0 building, 1 counting, 2 done, 3 too large, 4 out of memory.")
        .def(
            "run",
            [](FrontCounter& self, double seconds) { return static_cast<int>(self.run(seconds)); },
            "seconds"_a, nb::call_guard<nb::gil_scoped_release>(), "Count on; states as of build.")
        .def(
            "total",
            [](const FrontCounter& self) {
                std::vector<exactile::Limb> total = self.total();
                const std::size_t limbs = total.size();
                return as_array(std::move(total), {limbs});
            },
            "The number of solutions in 32-bit limbs, least first.")
        .def(
            "unrank",
            [](FrontCounter& self, Numbers numbers) {
                return unranked(numbers, self.limbs(),
                                [&](const exactile::Limb* number) { return self.unrank(number); });
            },
            "numbers"_a, "The solutions of some numbers below the total, padded with -1.")
        .def("tally", &FrontCounter::tally, "seconds"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Work on how many solutions contain each option; return whether that is known.")
        .def(
            "tallies",
            [](const FrontCounter& self) {
                std::vector<exactile::Limb> table(self.options() * self.limbs());
                for (std::size_t o = 0; o < self.tallies().size(); ++o) {
                    const exactile::Limbs sum = self.tallies()[o];
                    std::copy_n(sum.at, std::min(sum.size, self.limbs()), &table[o * self.limbs()]);
                }
                return as_array(std::move(table), {self.options(), self.limbs()});
            },
            "How many solutions contain each option, after tally.")
        .def(
            "by_uses",
            [](const FrontCounter& self) {
                std::vector<std::uint64_t> table;
                std::vector<exactile::Limb> numbers;
                std::size_t rows = 0;
                self.by_uses([&](const std::vector<std::uint64_t>& uses, exactile::Limbs number) {
                    table.insert(table.end(), uses.begin(), uses.end());
                    numbers.resize(++rows * self.limbs());
                    std::copy_n(number.at, std::min(number.size, self.limbs()),
                                &numbers[(rows - 1) * self.limbs()]);
                });
                return nb::make_tuple(as_array(std::move(table), {rows, self.items()}),
                                      as_array(std::move(numbers), {rows, self.limbs()}));
            },
            "How often each item is used, and by how many solutions so; after a one-sided count.")
        .def_prop_ro("limbs", &FrontCounter::limbs)
        .def("save", &FrontCounter::save, "path"_a, "tag"_a,
             nb::call_guard<nb::gil_scoped_release>())
        .def("load", &FrontCounter::load, "path"_a, "tag"_a,
             nb::call_guard<nb::gil_scoped_release>())
        .def_prop_ro("bound", &FrontCounter::bound)
        .def_prop_ro("done", &FrontCounter::done)
        .def_prop_ro("nodes", &FrontCounter::nodes)
        .def_prop_ro("met_nodes", &FrontCounter::met_nodes)
        .def_prop_ro("edges", &FrontCounter::edges)
        .def_prop_ro("levels", &FrontCounter::levels)
        .def_prop_ro("width", &FrontCounter::width)
        .def_prop_ro("operations", &FrontCounter::operations)
        .def_prop_ro("entries", &FrontCounter::entries)
        .def_prop_ro("peak_bytes", &FrontCounter::peak_bytes)
        .def_prop_ro("bytes_written", &FrontCounter::bytes_written);
}
