// Lemmas: a few tiles in a relative position in which they cannot be part of the object sought.
// Found by the search once, they exclude placements everywhere.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tiling_prototiles.hpp"

namespace exactile::tiling {

// A tile with at least a number of complete coronas around it.
struct Crowned {
    Placement tile;
    int coronas;
};

// An image of a lemma, seen from its tiles: the first is the root of its prototile at 0.
struct Match {
    int lemma;
    Motion motion;               // from the tiles of the lemma to these
    int coronas[3] = {0, 0, 0};  // of the first, the second, and the third if it is there
    Crowned excluded, third;     // seen from the first; the third where the lemma has four tiles
};

class Lemmas {
public:
    explicit Lemmas(const Prototiles& prototiles);

    static constexpr std::size_t kMostTiles = 4;

    // `proof` says why. Lemmas of more than kMostTiles tiles are kept, but not used elsewhere.
    int add(std::vector<Crowned> tiles, std::string proof);

    int size() const { return static_cast<int>(lemmas_.size()); }
    const std::vector<Crowned>& tiles(int lemma) const {
        return lemmas_[static_cast<std::size_t>(lemma)].tiles;
    }
    const std::string& proof(int lemma) const {
        return lemmas_[static_cast<std::size_t>(lemma)].proof;
    }

    // Tiles of a prototile with at least this number of coronas are excluded; kNever if none are.
    static constexpr int kNever = 1 << 20;
    int excluded_from(int prototile) const {
        return alone_[static_cast<std::size_t>(prototile)].coronas;
    }
    int lemma_alone(int prototile) const {
        return alone_[static_cast<std::size_t>(prototile)].lemma;
    }

    // A placement next to an aspect at 0 that is excluded if that has `coronas`.
    struct Pair {
        Placement excluded;
        int coronas;
        int match;
    };
    const std::vector<Pair>& pairs(int aspect) const {
        return pairs_[static_cast<std::size_t>(aspect)];
    }
    // What a tile excludes together with another one, seen from the first.
    std::span<const int> together(int prototile, const Placement& other) const;
    const Match& match(int m) const { return matches_[static_cast<std::size_t>(m)]; }
    bool has_together() const { return !together_.empty(); }
    int range() const { return range_; }  // farther tiles exclude nothing together

private:
    struct Lemma {
        std::vector<Crowned> tiles;
        std::string proof;
    };
    struct Alone {
        int coronas = kNever;
        int lemma = -1;
    };
    bool is_granted(const std::vector<Crowned>& tiles, std::size_t which) const;
    std::size_t place_of(int prototile, const Placement& other) const;
    void add_pair(int root, const Match& match);
    void add_together(int prototile, const Crowned& second, Match match);

    const Prototiles* prototiles_;
    int range_;
    std::vector<Lemma> lemmas_;
    std::vector<Alone> alone_;
    std::vector<Match> matches_;
    std::vector<std::vector<Pair>> pairs_;
    std::vector<std::int32_t> together_;  // placement -> list, -1 where there is none
    std::vector<std::vector<int>> lists_;
};

}  // namespace exactile::tiling
