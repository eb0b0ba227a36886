// Tilings with a given period: exact covers of the torus that is left when equal places are
// identified. Copies must not overlap or cross their own translates either.

#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "tiling_prototiles.hpp"
#include "tiling_search.hpp"
#include "tiling_sublattice.hpp"

namespace exactile::tiling {

struct Periodic {
    Sublattice period;
    std::vector<Placement> copies;  // one of each class, at reduced places
};

// Does this cover every unit once, without crossings? From the definition.
bool is_tiling(const Prototiles& prototiles, const Periodic& tiling);

class Torus {
public:
    Torus(const Prototiles& prototiles, Pulse pulse);

    // Search for a tiling with a period of this class. Neighbors of excluded classes (of
    // Prototiles; may be empty) are not used. With `all`, each prototile must be used.
    Outcome search(const Representative& period, const std::vector<char>& excluded, bool all,
                   std::int64_t nodes);
    const Periodic& found() const { return found_; }
    std::int64_t nodes() const { return nodes_; }  // of all searches

private:
    bool prepare(const std::vector<char>& excluded);
    bool fits(int aspect, const std::vector<char>& excluded);
    void drop(int aspect);
    void use(int aspect, int times);
    bool place(int placement);
    void remove(std::size_t blocked);
    Outcome descend();
    int sum(int a, int b) const { return sums_[at(a) * at(places_) + at(b)]; }
    static std::size_t at(int i) { return static_cast<std::size_t>(i); }

    const Prototiles* prototiles_;
    Pulse pulse_;
    int types_, aspects_;
    int places_ = 0;
    bool all_ = false;
    std::int64_t nodes_ = 0, last_node_ = 0, next_pulse_ = 0;
    bool stopped_ = false;
    Sublattice period_;
    std::vector<int> sums_;
    std::vector<char> allowed_;  // aspects
    struct At {
        int place, type;
    };
    std::vector<std::vector<At>> units_;      // of aspects
    std::vector<std::vector<int>> excludes_;  // of aspects at 0: place * aspects + aspect
    std::vector<std::vector<int>> over_;      // of units at 0: the same
    std::vector<char> covered_;               // place * types + type
    std::vector<std::int32_t> ways_;
    std::vector<char> blocked_;  // place * aspects + aspect
    std::vector<int> trail_, chosen_;
    std::vector<int> used_;       // how often, by prototile
    int open_ = 0, missing_ = 0;  // uncovered units; units of unused prototiles
    Periodic found_;
};

}  // namespace exactile::tiling
