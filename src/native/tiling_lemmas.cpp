#include "tiling_lemmas.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace exactile::tiling {

Lemmas::Lemmas(const Prototiles& prototiles)
    : prototiles_(&prototiles),
      range_((prototiles.lattice().dimension == 3 ? 2 : 3) * prototiles.extent()),
      alone_(static_cast<std::size_t>(prototiles.prototile_count())),
      pairs_(static_cast<std::size_t>(prototiles.aspect_count())) {}

// Whether the coronas that a lemma requires of one of its tiles follow from those of its neighbors,
// so that they need not be known to exclude the tile.
bool Lemmas::is_granted(const std::vector<Crowned>& tiles, std::size_t which) const {
    const Crowned& mine = tiles[which];
    return mine.coronas == 0 || std::ranges::any_of(tiles, [&](const Crowned& other) {
               return &other != &mine && other.coronas > mine.coronas &&
                      prototiles_->touch(other.tile, mine.tile);
           });
}

int Lemmas::add(std::vector<Crowned> tiles, std::string proof) {
    const Lattice& lattice = prototiles_->lattice();
    const int lemma = size();
    lemmas_.push_back({tiles, std::move(proof)});
    if (tiles.size() == 1) {
        Alone& alone =
            alone_[static_cast<std::size_t>(prototiles_->aspect(tiles[0].tile.aspect).prototile)];
        if (tiles[0].coronas < alone.coronas) alone = {tiles[0].coronas, lemma};
    }
    if (tiles.size() < 2 || tiles.size() > kMostTiles) return lemma;
    std::vector<bool> granted;
    for (std::size_t k = 0; k < tiles.size(); ++k) granted.push_back(is_granted(tiles, k));
    for (std::size_t first = 0; first < tiles.size(); ++first)
        for (int turn = 0; turn < lattice.turn_count(); ++turn) {
            const int root = prototiles_->root_of(tiles[first].tile.aspect);
            const Placement image = prototiles_->turned(turn, tiles[first].tile);
            if (image.aspect != root) continue;
            const Motion motion{turn, Vec{} - image.at};
            std::vector<Crowned> seen = tiles;
            for (Crowned& each : seen) each.tile = prototiles_->moved(motion, each.tile);
            Match match{lemma, motion, {seen[first].coronas, 0, 0}, {}, {}};
            for (std::size_t out = 0; out < tiles.size(); ++out) {
                if (out == first || !granted[out]) continue;
                match.excluded = seen[out];
                if (tiles.size() == 2) add_pair(root, match);
                // The others are looked up by the first of them; the last, if any, must be there.
                for (std::size_t second = 0; second < tiles.size() && tiles.size() > 2; ++second) {
                    if (second == first || second == out) continue;
                    const std::size_t third = tiles.size() == 3 ? second : 6 - first - out - second;
                    if (third < second) continue;
                    match.coronas[1] = seen[second].coronas;
                    match.coronas[2] = seen[third].coronas;
                    match.third = seen[third];
                    add_together(prototiles_->aspect(root).prototile, seen[second], match);
                }
            }
        }
    return lemma;
}

void Lemmas::add_pair(int root, const Match& match) {
    for (const int c : match.excluded.tile.at)
        if (std::abs(c) > 2 * prototiles_->extent() + 2) return;
    const int m = static_cast<int>(matches_.size());
    matches_.push_back(match);
    const int prototile = prototiles_->aspect(root).prototile;
    for (int a = 0; a < prototiles_->aspect_count(); ++a) {
        if (prototiles_->aspect(a).prototile != prototile) continue;
        const Motion frame = prototiles_->motion_to({a, {}});
        pairs_[static_cast<std::size_t>(a)].push_back(
            {prototiles_->moved(frame, match.excluded.tile), match.coronas[0], m});
    }
}

// A number for a placement near the root of a prototile; past all of them if it is far.
std::size_t Lemmas::place_of(int prototile, const Placement& other) const {
    const auto width = static_cast<std::size_t>(2 * range_ + 1);
    std::size_t place = static_cast<std::size_t>(prototile * prototiles_->aspect_count()) +
                        static_cast<std::size_t>(other.aspect);
    for (int i = 0; i < prototiles_->lattice().dimension; ++i) {
        if (std::abs(other.at[i]) > range_) return static_cast<std::size_t>(-1);
        place = place * width + static_cast<std::size_t>(other.at[i] + range_);
    }
    return place;
}

void Lemmas::add_together(int prototile, const Crowned& second, Match match) {
    const std::size_t place = place_of(prototile, second.tile);
    if (place == static_cast<std::size_t>(-1)) return;
    if (together_.empty()) {
        std::size_t size =
            static_cast<std::size_t>(prototiles_->prototile_count() * prototiles_->aspect_count());
        for (int i = 0; i < prototiles_->lattice().dimension; ++i)
            size *= static_cast<std::size_t>(2 * range_ + 1);
        together_.assign(size, -1);
    }
    if (together_[place] < 0) {
        together_[place] = static_cast<std::int32_t>(lists_.size());
        lists_.emplace_back();
    }
    lists_[static_cast<std::size_t>(together_[place])].push_back(static_cast<int>(matches_.size()));
    matches_.push_back(match);
}

std::span<const int> Lemmas::together(int prototile, const Placement& other) const {
    const std::size_t place = place_of(prototile, other);
    if (place == static_cast<std::size_t>(-1) || together_[place] < 0) return {};
    return lists_[static_cast<std::size_t>(together_[place])];
}

}  // namespace exactile::tiling
