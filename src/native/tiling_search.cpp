#include "tiling_search.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace exactile::tiling {

static constexpr std::int64_t kPulse = 256;  // nodes
static constexpr int kMostLemmas = 200'000;
static constexpr std::size_t kMostNodes = 4'000'000;  // of one refutation

Search::Search(const Prototiles& prototiles, Rule rule, Pulse pulse, int patch)
    : lemmas_(prototiles),
      window_(prototiles, lemmas_, rule),
      pulse_(std::move(pulse)),
      patch_coronas_(patch) {}

bool Search::stops() {
    if (nodes_ >= next_pulse_) {
        next_pulse_ = nodes_ + kPulse;
        stopped_ = stopped_ || (pulse_ && pulse_());
    }
    return stopped_;
}

Outcome Search::run(const std::vector<Crowned>& tiles, int coronas, std::int64_t nodes) {
    int most = coronas, far = 0;
    for (const Crowned& tile : tiles) {
        most = std::max(most, tile.coronas);
        for (const int c : tile.tile.at) far = std::max(far, std::abs(c));
    }
    if (!window_.open(far + (most + 1) * (window_.prototiles().extent() + 1))) {
        nodes_ += kPulse;  // so that the effort comes to an end, and the clock is read
        stopped_ = false;
        return stops() ? Outcome::kStopped : Outcome::kOpen;
    }
    marked_.assign(window_.units_in_window(), 0);
    last_node_ = nodes_ + nodes;
    given_coronas_ = coronas;
    stopped_ = false;
    refutation_ = -1;
    patch_.clear();
    arena_.clear();
    kids_.clear();

    Reason reason;
    Proof proof;
    Outcome outcome = Outcome::kFound;
    bool fine = true;
    if (tiles.empty()) window_.require(window_.number(Unit{{}, 0}));
    for (const Crowned& tile : tiles) {
        const int placement = window_.number(tile.tile);
        if (!window_.is_possible(placement)) {
            // A lemma excludes it together with the others.
            outcome = Outcome::kRefuted;
            fine = false;
            proof.kind = Proof::kLemma;
            std::tie(proof.number, proof.motion) = window_.explain_exclusion(placement, reason);
            break;
        }
        fine = window_.place(placement, tile.coronas);
        if (!fine) break;
    }
    if (!fine && outcome == Outcome::kFound) {
        outcome = Outcome::kRefuted;
        std::vector<Kid> kids;
        const Window::Contradiction why = window_.explain_failure(reason);
        if (why.unit >= 0) {
            refute_unit(why.unit, false, reason, kids);
            proof = step(why.unit, false, kids);
        } else {
            proof = {Proof::kLemma, why.lemma, why.motion};
        }
    } else if (fine) {
        outcome = descend(reason, proof);
    }
    if (outcome == Outcome::kRefuted)
        refutation_ = proof.kind == Proof::kLemma ? proof.number : add_lemma(reason, proof);
    window_.clear();
    return outcome;
}

// --- the search

// Why no blocked placement covers a unit; the kids refute the others.
void Search::refute_unit(int unit, bool hole, Reason& reason, std::vector<Kid>& kids) {
    if (hole)
        window_.explain_hole(unit, reason);
    else
        window_.explain_need(unit, reason);
    window_.explain_cover(unit, reason, [&](int placement, int lemma, const Motion& motion) {
        kids.push_back({placement, {Proof::kLemma, lemma, motion}});
    });
}

Search::Proof Search::step(int unit, bool hole, const std::vector<Kid>& kids) {
    const std::size_t begin = kids_.size();
    kids_.insert(kids_.end(), kids.begin(), kids.end());
    arena_.push_back({unit, hole, begin, kids_.size()});
    return {Proof::kNode, static_cast<int>(arena_.size()) - 1, {}};
}

// Put a tile and search on.
Outcome Search::attempt(int placement, int coronas, Reason& reason, Proof& proof) {
    std::vector<Kid> kids;
    if (!window_.place(placement, coronas)) {
        const Window::Contradiction why = window_.explain_failure(reason);
        if (why.unit < 0) {
            proof = {Proof::kLemma, why.lemma, why.motion};
            return Outcome::kRefuted;
        }
        refute_unit(why.unit, false, reason, kids);
        proof = step(why.unit, false, kids);
        return Outcome::kRefuted;
    }
    if (window_.rule() == Rule::kSolid) {
        const int last = static_cast<int>(window_.tiles().size()) - 1;
        const Window::Tile& first = window_.tiles()[0];
        if (is_middle(first) && first.coronas == 1 && window_.is_outside(last)) {
            reason.tiles.add(last);
            window_.add_crowned(0, reason);
            proof.kind = Proof::kOutside;
            return Outcome::kRefuted;
        }
        const int hole = window_.small_hole();
        if (hole >= 0) {
            refute_unit(hole, true, reason, kids);
            proof = step(hole, true, kids);
            return Outcome::kRefuted;
        }
    }
    return descend(reason, proof);
}

// Nothing is left to be covered.
Outcome Search::complete(Reason& reason, Proof& proof) {
    const int count = static_cast<int>(window_.tiles().size());
    // Around another tile than the middle, a tile may be in none of the coronas.
    if (window_.rule() == Rule::kSolid && is_middle(window_.tiles()[0]))
        for (int tile = 1; tile < count; ++tile) {
            if (!window_.is_outside(tile)) continue;
            // It fills a hole, but is in none of the coronas; nor can it come to be in one.
            for (int each = 0; each < count; ++each) {
                reason.tiles.add(each);
                reason.crowned.add(each);
            }
            proof.kind = Proof::kOutside;
            return Outcome::kRefuted;
        }
    for (const Window::Tile& tile : window_.tiles())
        patch_.push_back({tile.placement, tile.coronas});
    patch_has_hole_ = window_.rule() == Rule::kCoronas && window_.any_hole() >= 0;
    return Outcome::kFound;
}

// The unit that must be covered with the fewest placements over it, -1 if there is none.
int Search::choose() const {
    int unit = -1, fewest = std::numeric_limits<int>::max();
    for (const int each : window_.needed()) {
        if (window_.is_covered(each) || window_.ways(each) >= fewest) continue;
        unit = each;
        fewest = window_.ways(each);
        if (fewest <= 1) break;
    }
    return unit;
}

Outcome Search::descend(Reason& reason, Proof& proof) {
    if (++nodes_ > last_node_ || arena_.size() > kMostNodes) return Outcome::kOpen;
    if (stops()) return Outcome::kStopped;
    int unit = choose();
    bool hole = false;
    if (unit < 0 && window_.rule() == Rule::kSolid) {
        unit = window_.any_hole();
        hole = unit >= 0;
    }
    if (unit < 0) return complete(reason, proof);
    const auto tile = window_.tiles().size();
    if (!window_.is_inside(unit) || tile >= TileSet::kMost) return Outcome::kOpen;

    const std::size_t nodes = arena_.size(), kids_before = kids_.size();
    const int coronas = tile == 0 ? given_coronas_ : -1;
    std::vector<Kid> kids;
    for (const Window::Over& over : window_.over(window_.type(unit))) {
        const int placement = window_.placement_over(unit, over);
        if (!window_.is_possible(placement)) continue;
        Reason why;
        Kid kid{placement, {}};
        const Outcome outcome = attempt(placement, coronas, why, kid.proof);
        const int last = static_cast<int>(tile);
        const int giver = window_.tiles().back().giver;
        window_.remove_last();
        if (outcome != Outcome::kRefuted) return outcome;
        if (!why.tiles.has(last)) {  // the tile has nothing to do with it
            reason = why;
            proof = kid.proof;
            return Outcome::kRefuted;
        }
        if (why.crowned.has(last) && giver >= 0) window_.add_crowned(giver, why);
        why.remove(last);
        window_.follow_givers(why);
        reason |= why;
        kids.push_back(kid);
    }
    refute_unit(unit, hole, reason, kids);
    proof = step(unit, hole, kids);
    learn(reason, proof, nodes, kids_before);
    return Outcome::kRefuted;
}

// Make a lemma of what was just refuted if it rests on few tiles.
bool Search::learn(Reason& reason, Proof& proof, std::size_t nodes, std::size_t kids) {
    const auto size = static_cast<std::size_t>(reason.tiles.size());
    if (size > Lemmas::kMostTiles || size == 0 || lemmas_.size() >= kMostLemmas) return false;
    const int lemma = add_lemma(reason, proof);
    arena_.resize(nodes);
    kids_.resize(kids);
    proof = {Proof::kLemma, lemma, {}};
    if (size > 1) return true;
    // A tile that cannot be at all: perhaps this is the very first.
    const Crowned& alone = lemmas_.tiles(lemma)[0];
    const Prototiles& prototiles = window_.prototiles();
    const Window::Tile& first = window_.tiles().front();
    if (prototiles.root_of(first.placement.aspect) == prototiles.root_of(alone.tile.aspect) &&
        first.coronas >= alone.coronas) {
        const Lattice& lattice = prototiles.lattice();
        reason = {};
        window_.add_crowned(0, reason);
        proof.motion = lattice.composed(prototiles.motion_to(first.placement),
                                        lattice.inverted(prototiles.motion_to(alone.tile)));
    }
    return true;
}

// --- proofs as text

int Search::add_lemma(const Reason& reason, const Proof& proof) {
    std::vector<Crowned> tiles;
    std::string text;
    reason.tiles.each([&](int tile) {
        const Window::Tile& t = window_.tiles()[static_cast<std::size_t>(tile)];
        tiles.push_back({t.placement, reason.crowned.has(tile) ? t.coronas : 0});
        mark(t.place, true);
    });
    write(proof, text);
    reason.tiles.each(
        [&](int tile) { mark(window_.tiles()[static_cast<std::size_t>(tile)].place, false); });
    return lemmas_.add(std::move(tiles), std::move(text));
}

void Search::mark(int placement, bool there) {
    const int base = window_.unit_base(placement), aspect = window_.placement(placement).aspect;
    for (const auto* offsets : {&window_.units_of(aspect), &window_.items_of(aspect)})
        for (const int offset : *offsets) marked_[static_cast<std::size_t>(base + offset)] = there;
}

bool Search::is_free(int placement) const {
    const int base = window_.unit_base(placement), aspect = window_.placement(placement).aspect;
    for (const auto* offsets : {&window_.units_of(aspect), &window_.items_of(aspect)})
        for (const int offset : *offsets)
            if (marked_[static_cast<std::size_t>(base + offset)]) return false;
    return true;
}

static void write_numbers(const std::vector<int>& numbers, std::string& text) {
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        if (k > 0) text += ',';
        text += std::to_string(numbers[k]);
    }
}

void Search::write_unit(int unit, std::string& text) const {
    const Lattice& lattice = window_.prototiles().lattice();
    const Unit u = window_.unit(unit);
    std::vector<int> numbers(u.at.begin(), u.at.begin() + lattice.dimension);
    if (lattice.types > 1) numbers.push_back(u.type);
    write_numbers(numbers, text);
}

void Search::write(const Proof& proof, std::string& text) {
    if (!text.empty()) text += ' ';
    if (proof.kind == Proof::kOutside) {
        text += 'x';
        return;
    }
    if (proof.kind == Proof::kLemma) {
        std::vector<int> numbers = {proof.number, proof.motion.turn};
        for (int i = 0; i < window_.prototiles().lattice().dimension; ++i)
            numbers.push_back(proof.motion.by[i]);
        text += '#';
        write_numbers(numbers, text);
        return;
    }
    const Node node = arena_[static_cast<std::size_t>(proof.number)];
    if (node.hole) text += 'o';
    write_unit(node.unit, text);
    for (const Window::Over& over : window_.over(window_.type(node.unit))) {
        const int placement = window_.placement_over(node.unit, over);
        if (!is_free(placement)) continue;
        std::size_t k = node.begin;
        while (k < node.end && kids_[k].placement != placement) ++k;
        if (k == node.end) throw std::logic_error("a refutation has a gap");
        if (kids_[k].proof.kind == Proof::kLemma) {
            write(kids_[k].proof, text);
            continue;
        }
        mark(placement, true);
        write(kids_[k].proof, text);
        mark(placement, false);
    }
}

std::string Search::proof(int lemma) const {
    // Which lemmas it needs, and their numbers in the proof.
    const auto uses = [this](int of, auto visit) {
        const std::string& text = lemmas_.proof(of);
        for (std::size_t k = text.find('#'); k != std::string::npos; k = text.find('#', k + 1))
            visit(k + 1, std::atoi(text.c_str() + k + 1));
    };
    std::set<int> wanted = {lemma};
    for (auto each = wanted.rbegin(); each != wanted.rend(); ++each)
        uses(*each, [&](std::size_t, int used) { wanted.insert(used); });
    std::vector<int> number(static_cast<std::size_t>(lemma) + 1);
    int next = 0;
    const Lattice& lattice = window_.prototiles().lattice();
    std::string result;
    for (const int each : wanted) {
        number[static_cast<std::size_t>(each)] = next++;
        const auto& tiles = lemmas_.tiles(each);
        for (std::size_t k = 0; k < tiles.size(); ++k) {
            const Motion motion = window_.prototiles().motion_to(tiles[k].tile);
            std::vector<int> numbers = {window_.prototiles().aspect(tiles[k].tile.aspect).prototile,
                                        motion.turn};
            for (int i = 0; i < lattice.dimension; ++i) numbers.push_back(motion.by[i]);
            numbers.push_back(tiles[k].coronas);
            if (k > 0) result += ' ';
            write_numbers(numbers, result);
        }
        result += ':';
        const std::string& text = lemmas_.proof(each);
        std::size_t done = 0;
        uses(each, [&](std::size_t k, int used) {
            result += (done == 0 ? " " : "") + text.substr(done, k - done) +
                      std::to_string(number[static_cast<std::size_t>(used)]);
            done = text.find(',', k);
        });
        result += (done == 0 ? " " : "") + text.substr(done);
        result += '\n';
    }
    return result;
}

}  // namespace exactile::tiling
