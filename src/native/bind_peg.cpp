// The searches of peg solitaire for Python.

#include <nanobind/stl/vector.h>

#include "bind.hpp"
#include "peg_count.hpp"
#include "peg_find.hpp"
#include "peg_shortest.hpp"

using namespace nb::literals;
using exactile::PegBoard;
using exactile::Position;
using Positions = std::vector<Position>;

static void bind_searches(nb::module_& m) {
    using exactile::PegCounter;
    using exactile::PegFinder;
    nb::class_<PegCounter>(m, "PegCounter", "Counts sequences of jumps by a memo on positions.")
        .def(nb::init<PegBoard, Position, Positions, bool, std::uint64_t>(), "board"_a, "start"_a,
             "goals"_a, "by_moves"_a, "most_bytes"_a)
        .def(
            "run",
            [](PegCounter& self, double seconds) { return static_cast<int>(self.run(seconds)); },
            "seconds"_a, nb::call_guard<nb::gil_scoped_release>(),
            "Count on; 0 running, 1 done, 2 out of memory.")
        .def("totals",
             [](const PegCounter& self) {
                 std::vector<exactile::Limb> totals(self.totals());
                 const std::size_t width = totals.size() / self.numbers();
                 return as_array(std::move(totals), {self.numbers(), width});
             })
        .def_prop_ro("states", &PegCounter::states)
        .def_prop_ro("depth", &PegCounter::depth)
        .def_prop_ro("length", &PegCounter::length);
    nb::class_<PegFinder>(m, "PegFinder", "Finds sequences of jumps, depth first.")
        .def(nb::init<PegBoard, Position, Positions, std::uint64_t>(), "board"_a, "start"_a,
             "goals"_a, "most_bytes"_a)
        .def(
            "run",
            [](PegFinder& self, double seconds, std::size_t limit, std::uint64_t most_nodes) {
                return static_cast<int>(self.run(seconds, limit, most_nodes));
            },
            "seconds"_a, "limit"_a, "most_nodes"_a, nb::call_guard<nb::gil_scoped_release>(),
            "Search on; 0 running, 1 done, 2 out of memory.")
        .def("restart", &PegFinder::restart, "order"_a,
             "Begin anew with another order of the jumps; what leads nowhere stays known.")
        .def("take",
             [](PegFinder& self) {
                 const std::size_t rows = self.waiting();
                 const auto width = static_cast<std::size_t>(std::max(self.length(), 0));
                 return as_array(self.take(), {rows, width});
             })
        .def_prop_ro("waiting", &PegFinder::waiting)
        .def_prop_ro("length", &PegFinder::length)
        .def_prop_ro("nodes", &PegFinder::nodes)
        .def_prop_ro("dead", &PegFinder::dead);
}

static void bind_shortest(nb::module_& m) {
    using exactile::PegShortest;
    nb::class_<PegShortest>(m, "PegShortest", "Finds the fewest moves, from both ends.")
        .def(nb::init<PegBoard, Position, Positions, bool, std::uint64_t>(), "board"_a, "start"_a,
             "goals"_a, "both_ends"_a, "most_bytes"_a)
        .def(
            "run",
            [](PegShortest& self, double seconds) { return static_cast<int>(self.run(seconds)); },
            "seconds"_a, nb::call_guard<nb::gil_scoped_release>(),
            "Search on; 0 running, 1 done, 2 out of memory.")
        .def(
            "useful",
            [](const PegShortest& self, std::size_t moves_left) {
                Positions positions = self.useful(moves_left);
                const std::size_t size = positions.size();
                return as_array(std::move(positions), {size});
            },
            "moves_left"_a, "The positions on shortest solutions with a number of moves left.")
        .def("level_sizes",
             [](const PegShortest& self, std::size_t side) {
                 std::vector<std::size_t> sizes;
                 for (std::size_t k = 0; k < self.levels(side); ++k)
                     sizes.push_back(self.level_size(side, k));
                 return sizes;
             })
        .def_prop_ro("moves", &PegShortest::moves)
        .def_prop_ro("positions", &PegShortest::positions)
        .def_prop_ro("nodes", &PegShortest::nodes);
}

void bind_peg(nb::module_& m) {
    nb::class_<PegBoard>(m, "PegBoard", "A board of peg solitaire with jumps and symmetries.")
        .def(nb::init<int, const std::vector<int>&, const std::vector<int>&>(), "holes"_a,
             "jumps"_a, "symmetries"_a)
        .def("canonical", nb::overload_cast<Position>(&PegBoard::canonical, nb::const_),
             "position"_a, "The least image of a position.");
    bind_searches(m);
    bind_shortest(m);
}
