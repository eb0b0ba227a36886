// The searches for a first solution, for Python.

#include <nanobind/nanobind.h>

#include <utility>

#include "bind.hpp"
#include "finder.hpp"

using namespace nb::literals;
using exactile::Attempt;
using exactile::Ground;

static nb::tuple told(Attempt&& attempt) {
    nb::dict counters;
    counters["nodes"] = attempt.nodes;
    counters["beam_work"] = attempt.beam_work;
    counters["endgame_work"] = attempt.endgame_work;
    counters["endgames"] = attempt.endgames;
    counters["cut_short"] = attempt.cut_short;
    counters["moves"] = attempt.moves;
    counters["cost"] = attempt.cost;
    const std::size_t size = attempt.solution.size();
    return nb::make_tuple(as_array(std::move(attempt.solution), {size}), attempt.exhausted,
                          counters);
}

void bind_first(nb::module_& m) {
    nb::class_<Ground>(m, "Ground", "What the searches for a first solution share.")
        .def(
            "__init__",
            [](Ground* self, Vector<Index> lower, Vector<Index> upper, Vector<std::int64_t> first,
               Vector<Index> members, Vector<Index> colors, Vector<std::uint8_t> piece,
               Vector<std::int64_t> first_neighbor, Vector<Index> neighbors) {
                new (self) Ground(exactile::Cover{copied(lower), copied(upper), copied(first),
                                                  copied(members), copied(colors)},
                                  copied(piece), copied(first_neighbor), copied(neighbors));
            },
            "lower"_a, "upper"_a, "first"_a, "members"_a, "colors"_a, "piece"_a, "first_neighbor"_a,
            "neighbors"_a)
        .def(
            "stop", [](Ground& self) { self.stop = true; }, "End all searches soon.")
        .def(
            "best",
            [](const Ground& self) {
                Ground::Packing best = self.best();
                const std::size_t size = best.options.size();
                return nb::make_tuple(as_array(std::move(best.options), {size}), best.filled);
            },
            "The best packing so far, and how many units it fills; -1 if there is none.")
        .def(
            "restart",
            [](Ground& self, Vector<Index> order, Index near, Index until, std::uint64_t nodes,
               std::uint64_t seed) {
                const std::vector<Index> items = copied(order);
                Attempt attempt;
                {
                    nb::gil_scoped_release release;
                    attempt = exactile::restart(self, items, {near, until}, nodes, seed);
                }
                return told(std::move(attempt));
            },
            "order"_a, "near"_a, "until"_a, "nodes"_a, "seed"_a,
            "A depth-first search of a number of nodes, with the items in some order.")
        .def(
            "beam",
            [](Ground& self, Vector<Index> order, Index width, double rest, std::uint64_t nodes,
               std::uint64_t seed) {
                const std::vector<Index> units = copied(order);
                exactile::BeamSetting setting;
                setting.width = width;
                setting.rest = rest;
                Attempt attempt;
                {
                    nb::gil_scoped_release release;
                    attempt = exactile::beam(self, units, setting, nodes, seed);
                }
                return told(std::move(attempt));
            },
            "order"_a, "width"_a, "rest"_a, "nodes"_a, "seed"_a,
            "A beam that fills the units in some order, and exact searches of what is left.")
        .def(
            "repair",
            [](Ground& self, Vector<Index> order, Index width, double rest, double strict,
               double level, std::uint64_t nodes, bool adaptive, double risk, double learning,
               std::uint64_t moves, std::uint64_t patience, std::uint64_t seed) {
                const std::vector<Index> units = copied(order);
                const exactile::RepairSetting setting{
                    width, rest, {strict, level, nodes, adaptive, risk, learning}, moves, patience};
                Attempt attempt;
                {
                    nb::gil_scoped_release release;
                    attempt = exactile::repair(self, units, setting, seed);
                }
                return told(std::move(attempt));
            },
            "order"_a, "width"_a, "rest"_a, "strict"_a, "level"_a, "nodes"_a, "adaptive"_a,
            "risk"_a, "learning"_a, "moves"_a, "patience"_a, "seed"_a,
            "A tiling that uses some pieces too often, made right by searches of neighborhoods.");
}
