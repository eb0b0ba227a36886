// Taking apart for Python: placements and rows of them go in, levels and separations come out.

#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "assembly_search.hpp"
#include "bind.hpp"

using namespace nb::literals;
using namespace exactile::assembly;

namespace {

using Table = nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Row = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::vector<Vec> points_of(const Table& table) {
    if (table.shape(1) > kAxes) throw std::invalid_argument("points have at most 3 coordinates");
    std::vector<Vec> points;
    for (std::size_t k = 0; k < table.shape(0); ++k) {
        Vec point{};
        for (std::size_t i = 0; i < table.shape(1); ++i) {
            const std::int64_t c = table.data()[k * table.shape(1) + i];
            if (c < -(1 << 20) || c > 1 << 20) throw std::invalid_argument("a point is too far");
            point[i] = static_cast<int>(c);
        }
        points.push_back(point);
    }
    return points;
}

// A disassembler with the groups of pieces that need not be taken apart.
struct Bench {
    Disassembler disassembler;
    std::size_t types;
    std::vector<std::uint64_t> groups;  // placement -> groups of its piece, as bits
    std::vector<int> row;               // the assembly that is being taken apart
    bool open = false;

    void begin(std::vector<int> placements) {
        std::uint64_t occurring = 0;
        for (const int number : placements) occurring |= groups[number];
        std::vector<Pieces> together;
        for (; occurring != 0; occurring &= occurring - 1) {
            Pieces set = 0;
            for (std::size_t k = 0; k < placements.size(); ++k)
                if (groups[placements[k]] & occurring & -occurring) set |= Pieces{1} << k;
            together.push_back(set);
        }
        disassembler.start(placements, std::move(together));
        row = std::move(placements);
        open = true;
    }

    std::vector<int> placements(const Table& rows, std::size_t number) const {
        std::vector<int> result;
        for (std::size_t k = 0; k < rows.shape(1); ++k) {
            const std::int64_t placement = rows.data()[number * rows.shape(1) + k];
            if (placement >= static_cast<std::int64_t>(groups.size()))
                throw std::invalid_argument("there is no such placement");
            if (placement >= 0) result.push_back(static_cast<int>(placement));
        }
        if (result.size() > kMostPieces)
            throw std::invalid_argument("an assembly has at most 64 pieces");
        return result;
    }
};

}  // namespace

void bind_assembly(nb::module_& m) {
    m.def(
        "meets_in_turn", [](int u, int v, int x, int y) { return meets({u, v}, {x, y}); }, "u"_a,
        "v"_a, "x"_a, "y"_a,
        "Return whether a cell that makes a quarter turn about 0 meets another one; their centers "
        "are in half units.");
    nb::class_<Bench>(m, "Disassembler", "Takes assemblies of a puzzle apart.")
        .def(
            "__init__",
            [](Bench* self, int period, const Table& steps,
               const std::vector<std::vector<Table>>& swept, bool lines, bool turns,
               std::size_t most) {
                Motions motions;
                motions.period = period;
                motions.steps = points_of(steps);
                for (const auto& types : swept) {
                    motions.swept.emplace_back();
                    for (const Table& offsets : types)
                        motions.swept.back().push_back(points_of(offsets));
                }
                if (period < 1 || motions.swept.size() != motions.steps.size() ||
                    motions.steps.size() > kMostDirections || motions.steps.empty())
                    throw std::invalid_argument("there are 1 to 32 directions");
                const std::size_t types = motions.swept[0].size();
                if (turns && (period != 1 || types != 1))
                    throw std::invalid_argument("only cubes are turned");
                new (self) Bench{Disassembler(std::move(motions),
                                              lines ? Counting::kLines : Counting::kDistances,
                                              turns ? Turning::kQuarters : Turning::kNone,
                                              std::min<std::size_t>(most, 0xFFFFFFF0)),
                                 types,
                                 {},
                                 {}};
            },
            "period"_a, "steps"_a, "swept"_a, "lines"_a, "turns"_a, "most"_a)
        .def(
            "add",
            [](Bench& self, const Table& points, const Row& types, std::uint64_t groups) {
                std::vector<int> kinds;
                for (std::size_t k = 0; k < types.shape(0); ++k) {
                    const std::int64_t type = types.data()[k];
                    if (type < 0 || type >= static_cast<std::int64_t>(self.types))
                        throw std::invalid_argument("there is no such type of unit");
                    kinds.push_back(static_cast<int>(type));
                }
                if (kinds.size() != points.shape(0) || kinds.empty())
                    throw std::invalid_argument("every unit has a type");
                self.disassembler.distances().add(points_of(points), kinds);
                self.groups.push_back(groups);
            },
            "points"_a, "types"_a, "groups"_a)
        .def(
            "run",
            [](Bench& self, const Table& rows, double seconds) {
                std::vector<std::uint8_t> outcomes;
                std::vector<std::int32_t> numbers;
                std::vector<std::int64_t> first{0};
                std::int64_t states = 0;
                const auto deadline = exactile::deadline_in(seconds);
                {
                    nb::gil_scoped_release release;
                    for (std::size_t k = 0; k < rows.shape(0); ++k) {
                        if (exactile::Clock::now() >= deadline) break;
                        std::vector<int> placements = self.placements(rows, k);
                        if (!self.open || placements != self.row) self.begin(placements);
                        if (!self.disassembler.run(deadline)) break;
                        self.open = false;
                        states += self.disassembler.states();
                        outcomes.push_back(static_cast<std::uint8_t>(self.disassembler.outcome()));
                        const auto& found = self.disassembler.separations();
                        const auto within = [&](Pieces part) {
                            return static_cast<std::int32_t>(std::count_if(
                                found.begin(), found.end(),
                                [&](const auto& other) { return (other.pieces & ~part) == 0; }));
                        };
                        for (const Separation& each : found) {
                            numbers.push_back(each.number);
                            numbers.push_back(within(each.pieces & ~each.removed));
                            numbers.push_back(within(each.removed));
                        }
                        first.push_back(static_cast<std::int64_t>(numbers.size() / 3));
                    }
                }
                const std::size_t done = outcomes.size(), separations = numbers.size() / 3;
                return std::make_tuple(as_array(std::move(outcomes), {done}),
                                       as_array(std::move(first), {done + 1}),
                                       as_array(std::move(numbers), {separations, 3}), states);
            },
            "rows"_a, "seconds"_a,
            "Take assemblies apart, rows of placements padded with -1, for some seconds: for each "
            "that is finished, whether it comes apart (0), is locked (1) or takes too many states "
            "(2), and its separations: moves, separations of the rest, of what leaves. Pass the "
            "others again.")
        .def(
            "separations",
            [](const Bench& self) {
                using Moves = std::vector<std::tuple<Pieces, int, int, int, Vec>>;
                std::vector<std::tuple<Pieces, Pieces, Moves>> result;
                for (const Separation& each : self.disassembler.separations()) {
                    Moves moves;
                    for (const Move& move : each.moves)
                        moves.emplace_back(move.pieces, move.direction, move.steps, move.turn,
                                           axis_of(move, each.first));
                    result.emplace_back(each.pieces, each.removed, std::move(moves));
                }
                return result;
            },
            "The separations of the last assembly: pieces, those that leave, and moves: pieces, "
            "direction, steps, quarter turn or -1, a point of its axis in half units; as seen from "
            "the first piece of each part, whose moves are made by the others the opposite way.")
        .def_prop_ro("locked", [](const Bench& self) { return self.disassembler.locked(); });
}
