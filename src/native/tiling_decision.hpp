// Decides whether prototiles tile the plane, or space, and how: cheap methods first, then periods
// and refutations in turns.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tiling_isohedral.hpp"
#include "tiling_search.hpp"
#include "tiling_torus.hpp"

namespace exactile::tiling {

struct Wishes {
    bool all = false;         // each of several prototiles must be used
    bool least = false;       // the least number of copies in a period
    bool refute = true;       // refutations; without, only periods are searched
    bool isohedral = true;    // is there an isohedral tiling?
    bool half_turns = false;  // if it tiles by translates: by half turns too?
    bool heesch = false;      // Heesch numbers of prototiles that do not tile
    bool holes = true;        // are there holes on this lattice?
    bool proofs = false;      // refutations as text
    int most_copies = 32;     // in a period
    int most_coronas = 8;     // in a patch
    std::int64_t nodes = 0;   // of all searches for one decision
};

enum class Verdict { kTiles, kDoesNot, kOpen };

// A number that may be known from both sides or from below.
struct Bounded {
    int least = 0;
    bool exact = false;
};

struct Decision {
    Verdict verdict = Verdict::kOpen;
    std::string method;

    Periodic tiling;
    std::vector<int> orbits;  // of each copy, under the symmetries of the tiling
    std::optional<bool> isohedral, half_turn;
    Bounded copies;                     // in a period: the least number, or none has fewer
    std::int64_t periods_excluded = 0;  // with fewer copies

    std::string refutation;      // of tilings
    std::vector<Crowned> patch;  // the largest that was found
    int coronas = 0;             // its complete ones

    bool has_heesch = false;
    Bounded solid, holed;  // Heesch numbers: without holes; with holes in the last corona
    std::vector<Crowned> solid_patch, holed_patch;
    std::string solid_refutation, holed_refutation;

    std::int64_t nodes = 0;
    bool stopped = false, exhausted = false;  // from outside; by the limit on nodes
};

class Decider {
public:
    explicit Decider(Lattice lattice);
    Decider(const Decider&) = delete;
    Decider& operator=(const Decider&) = delete;

    // Throws std::invalid_argument if the forms are not prototiles.
    Decision decide(const std::vector<Units>& forms, const Wishes& wishes, const Pulse& pulse);

    const Lattice& lattice() const { return lattice_; }

private:
    Lattice lattice_;
    Sublattices sublattices_;
};

}  // namespace exactile::tiling
