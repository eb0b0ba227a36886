// The decision about tilings for Python: forms go in, what is known about each comes out.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bind.hpp"
#include "deadline.hpp"
#include "tiling_decision.hpp"

using namespace nb::literals;
using namespace exactile::tiling;

static constexpr double kHeartbeat = 0.05;  // seconds

using Table = nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Tables = nb::ndarray<const std::int64_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

// Rows of coordinates, each followed by a type.
static Units units_of(const std::int64_t* rows, std::size_t count, std::size_t width) {
    if (width < 2 || width > kAxes + 1)
        throw std::invalid_argument("a unit has coordinates, a type");
    Units units;
    for (std::size_t row = 0; row < count; ++row) {
        Unit unit{{}, static_cast<int>(rows[row * width + width - 1])};
        for (std::size_t i = 0; i + 1 < width; ++i) {
            const std::int64_t c = rows[row * width + i];
            if (c < -(1 << 20) || c > 1 << 20)
                throw std::invalid_argument("a unit is too far away");
            unit.at[i] = static_cast<int>(c);
        }
        units.push_back(unit);
    }
    return units;
}

static Units units_of(const Table& table) {
    return units_of(table.data(), table.shape(0), table.shape(1));
}

static std::vector<Units> lists_of(const std::vector<Table>& tables) {
    std::vector<Units> lists;
    for (const Table& table : tables) lists.push_back(units_of(table));
    return lists;
}

static Lattice lattice_of(const Tables& turns, const Tables& images,
                          const std::vector<Table>& touching, const std::vector<Table>& joined,
                          const Table& rays, const std::vector<unsigned>& items) {
    Lattice lattice;
    lattice.dimension = static_cast<int>(turns.shape(1));
    lattice.types = static_cast<int>(touching.size());
    if (turns.shape(1) != turns.shape(2) || lattice.dimension > kAxes)
        throw std::invalid_argument("the turns are not matrices");
    const std::size_t d = turns.shape(1);
    for (std::size_t turn = 0; turn < turns.shape(0); ++turn) {
        std::array<Vec, kAxes> matrix{};
        for (std::size_t i = 0; i < kAxes; ++i)
            for (std::size_t j = 0; j < kAxes; ++j)
                matrix[i][j] = i < d && j < d
                                   ? static_cast<int>(turns.data()[(turn * d + i) * d + j])
                                   : i == j;
        lattice.turns.push_back(matrix);
    }
    const std::size_t block = images.shape(1) * images.shape(2);
    for (std::size_t turn = 0; turn < images.shape(0); ++turn)
        lattice.images.push_back(
            units_of(images.data() + turn * block, images.shape(1), images.shape(2)));
    lattice.touching = lists_of(touching);
    lattice.joined = lists_of(joined);
    lattice.rays = units_of(rays);
    lattice.items = items;
    return lattice;
}

// Copies as rows: prototile, turn, place; and, in a patch, complete coronas around it.
struct Copies {
    const Prototiles* prototiles;
    std::vector<int> row(const Placement& placement) const {
        const Motion motion = prototiles->motion_to(placement);
        std::vector<int> row = {prototiles->aspect(placement.aspect).prototile, motion.turn};
        row.insert(row.end(), motion.by.begin(),
                   motion.by.begin() + prototiles->lattice().dimension);
        return row;
    }
    std::vector<std::vector<int>> rows(const std::vector<Placement>& placements) const {
        std::vector<std::vector<int>> result;
        for (const Placement& each : placements) result.push_back(row(each));
        return result;
    }
    std::vector<std::vector<int>> rows(const std::vector<Crowned>& tiles) const {
        std::vector<std::vector<int>> result;
        for (const Crowned& each : tiles) {
            result.push_back(row(each.tile));
            result.back().push_back(each.coronas);
        }
        return result;
    }
};

static nb::dict as_dict(const Prototiles& prototiles, const Decision& decision) {
    const Copies copies{&prototiles};
    const auto bounded = [](const Bounded& b) { return std::pair(b.least, b.exact); };
    nb::dict result;
    result["verdict"] = decision.verdict == Verdict::kTiles     ? "tiles"
                        : decision.verdict == Verdict::kDoesNot ? "does-not-tile"
                                                                : "open";
    result["method"] = decision.method;
    std::vector<std::vector<int>> period;
    const int dimension = prototiles.lattice().dimension;
    if (decision.verdict == Verdict::kTiles)
        for (int i = 0; i < dimension; ++i)
            period.emplace_back(decision.tiling.period.rows[i].begin(),
                                decision.tiling.period.rows[i].begin() + dimension);
    result["period"] = period;
    result["copies"] = copies.rows(decision.tiling.copies);
    result["orbits"] = decision.orbits;
    result["isohedral"] = decision.isohedral;
    result["half_turn"] = decision.half_turn;
    result["least"] = bounded(decision.copies);
    result["periods_excluded"] = decision.periods_excluded;
    result["refutation"] = decision.refutation;
    result["patch"] = copies.rows(decision.patch);
    result["coronas"] = decision.coronas;
    if (decision.has_heesch) {
        result["solid"] = bounded(decision.solid);
        result["holed"] = bounded(decision.holed);
        result["solid_patch"] = copies.rows(decision.solid_patch);
        result["holed_patch"] = copies.rows(decision.holed_patch);
        result["solid_refutation"] = decision.solid_refutation;
        result["holed_refutation"] = decision.holed_refutation;
    }
    result["nodes"] = decision.nodes;
    result["stopped"] = decision.stopped;
    result["exhausted"] = decision.exhausted;
    return result;
}

// Asks Python at intervals whether to stop; not again after a yes.
static Pulse asking(const nb::callable& goes_on) {
    struct State {
        exactile::Clock::time_point next = exactile::deadline_in(kHeartbeat);
        bool stopped = false;
    };
    return [state = std::make_shared<State>(), &goes_on] {
        if (state->stopped || exactile::Clock::now() < state->next) return state->stopped;
        nb::gil_scoped_acquire acquire;
        const nb::object answer = nb::steal<nb::object>(PyObject_CallNoArgs(goes_on.ptr()));
        state->stopped = !answer.is_valid() || PyObject_IsTrue(answer.ptr()) != 1;
        state->next = exactile::deadline_in(kHeartbeat);
        return state->stopped;
    };
}

void bind_tiling(nb::module_& m) {
    nb::class_<Wishes>(m, "TilingWishes", "What to find out about prototiles, and how hard to try.")
        .def(nb::init<>())
        .def_rw("all", &Wishes::all)
        .def_rw("least", &Wishes::least)
        .def_rw("refute", &Wishes::refute)
        .def_rw("isohedral", &Wishes::isohedral)
        .def_rw("half_turns", &Wishes::half_turns)
        .def_rw("heesch", &Wishes::heesch)
        .def_rw("holes", &Wishes::holes)
        .def_rw("proofs", &Wishes::proofs)
        .def_rw("most_copies", &Wishes::most_copies)
        .def_rw("most_coronas", &Wishes::most_coronas)
        .def_rw("nodes", &Wishes::nodes);
    nb::class_<Decider>(m, "TilingDecider", "Decides whether prototiles tile the plane, or space.")
        .def(
            "__init__",
            [](Decider* self, const Tables& turns, const Tables& images,
               const std::vector<Table>& touching, const std::vector<Table>& joined,
               const Table& rays, const std::vector<unsigned>& items) {
                new (self) Decider(lattice_of(turns, images, touching, joined, rays, items));
            },
            "turns"_a, "images"_a, "touching"_a, "joined"_a, "rays"_a, "items"_a)
        .def(
            "decide",
            [](Decider& self, const std::vector<Table>& prototiles, const Wishes& wishes,
               const nb::callable& goes_on) {
                const std::vector<Units> forms = lists_of(prototiles);
                Decision decision;
                {
                    nb::gil_scoped_release release;
                    decision = self.decide(forms, wishes, asking(goes_on));
                }
                // What is known so far is worth more than the reason why we stopped.
                nb::object error;
                if (PyErr_Occurred()) error = nb::borrow(nb::python_error().value());
                nb::dict result = as_dict(Prototiles(self.lattice(), forms), decision);
                result["error"] = error.is_valid() ? error : nb::none();
                return result;
            },
            "prototiles"_a, "wishes"_a, "goes_on"_a,
            "What is known about a set of prototiles, each an array of places and types. goes_on "
            "is "
            "called many times a second and says whether to go on; an exception of it is "
            "returned.");
}
