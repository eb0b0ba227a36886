// Random proofs for the checker and random problems for the search that writes proofs, to be built
// with sanitizers.
//
//     fuzz_proofs SECONDS [FIRST SEED] [LAST SEED]
//
// Whatever the bytes are, the checker accepts or refuses; and what it accepts is true, as trying
// all values of the variables shows. Proofs by the search are accepted, and its solutions are those
// that trying all sets of options gives. A failure names its seed.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "proof_checker.hpp"
#include "refuter.hpp"

using namespace exactile;

namespace {

using Clauses = std::vector<std::vector<int>>;
using Options = std::vector<Index>;

struct Rng {
    std::mt19937_64 source;
    int number(int low, int high) { return std::uniform_int_distribution<int>(low, high)(source); }
    bool one_in(int n) { return number(1, n) == 1; }
};

void demand(bool holds, const std::string& what) {
    if (!holds) throw std::logic_error(what);
}

std::string text_of(const Clauses& clauses) {
    std::string text;
    for (const std::vector<int>& clause : clauses) {
        for (const int literal : clause) text += std::to_string(literal) + ' ';
        text += "0\n";
    }
    return text;
}

std::string formula_of(const Clauses& clauses, int variables) {
    return "p cnf " + std::to_string(variables) + ' ' + std::to_string(clauses.size()) + '\n' +
           text_of(clauses);
}

bool is_satisfiable(const Clauses& clauses, int variables) {
    for (int values = 0; values < 1 << variables; ++values) {
        const auto holds = [values](int literal) {
            return (values >> (std::abs(literal) - 1) & 1) == (literal > 0);
        };
        if (std::ranges::all_of(
                clauses, [&](const auto& clause) { return std::ranges::any_of(clause, holds); }))
            return true;
    }
    return false;
}

// A DRUP proof that is accepted is written as LRAT, which must be accepted too.
bool is_accepted(const std::string& formula, const std::string& proof, ProofKind kind) {
    std::istringstream formula_stream(formula), proof_stream(proof);
    std::ostringstream hints;
    const bool drup = kind == ProofKind::kDrup;
    try {
        check_proof(
            formula_stream, proof_stream, kind, {}, [](std::uint64_t) {}, drup ? &hints : nullptr);
    } catch (const ProofRefused&) {
        return false;
    }
    demand(!drup || is_accepted(formula, hints.str(), ProofKind::kLrat), "hints were refused");
    return true;
}

std::vector<int> random_clause(Rng& rng, int variables, int most) {
    std::vector<int> clause(static_cast<std::size_t>(rng.number(1, most)));
    for (int& literal : clause) literal = rng.number(1, variables) * (rng.one_in(2) ? 1 : -1);
    return clause;
}

// Change some bytes, mostly to such as occur in proofs.
std::string damaged(std::string text, Rng& rng) {
    static const std::string usual = "0123456789- \n\ndcp";
    for (int turn = rng.number(1, 6); turn > 0; --turn) {
        const auto place = static_cast<std::size_t>(rng.number(0, static_cast<int>(text.size())));
        const char sign = rng.one_in(5) ? static_cast<char>(rng.number(-128, 127))
                                        : usual[static_cast<std::size_t>(
                                              rng.number(0, static_cast<int>(usual.size()) - 1))];
        switch (rng.number(0, 4)) {
            case 0:
                text.insert(text.begin() + static_cast<std::ptrdiff_t>(place), sign);
                break;
            case 1:
                text.erase(place, static_cast<std::size_t>(rng.number(1, 10)));
                break;
            case 2:
                text += text.substr(place);
                break;
            default:
                if (place < text.size()) text[place] = sign;
        }
    }
    return text;
}

// Lemmas, deletions and hints at random. Returns whether some proof was accepted.
bool check_random(Rng& rng) {
    const int variables = rng.number(1, 7);
    Clauses clauses(static_cast<std::size_t>(rng.number(0, 6 * variables)));
    for (std::vector<int>& clause : clauses) clause = random_clause(rng, variables, 3);
    std::erase_if(clauses,
                  [variables](const auto& clause) { return std::ssize(clause) > 2 * variables; });
    const std::string formula = formula_of(clauses, variables);
    std::string drup, lrat;
    for (int step = rng.number(0, 20); step > 0; --step) {
        const std::vector<int> lemma = random_clause(rng, variables, 3);
        if (rng.one_in(3)) drup += "d ";
        drup += text_of({rng.one_in(3) && !clauses.empty() ? clauses[0] : lemma});
        lrat += std::to_string(static_cast<int>(clauses.size()) + 21 - step) + ' ';
        if (rng.one_in(5)) lrat += "d ";
        lrat += text_of({lemma, random_clause(rng, static_cast<int>(clauses.size()) + 20, 6)});
    }
    drup += "0\n";
    bool accepted = is_accepted(formula, drup, ProofKind::kDrup);
    accepted |= is_accepted(formula, lrat, ProofKind::kLrat);
    for (int turn = 0; turn < 3; ++turn) {
        accepted |= is_accepted(formula, damaged(drup, rng), ProofKind::kDrup);
        accepted |= is_accepted(formula, damaged(lrat, rng), ProofKind::kLrat);
        is_accepted(damaged(formula, rng), drup, ProofKind::kDrup);
        is_accepted(damaged(formula, rng), lrat, ProofKind::kLrat);
    }
    demand(!accepted || !is_satisfiable(clauses, variables), "a wrong proof was accepted");
    return accepted;
}

// --- proofs by the search

Cover random_cover(Rng& rng, int items, int options) {
    Cover cover;
    for (int i = 0; i < items; ++i) {
        cover.lower.push_back(rng.one_in(4) ? rng.number(0, 2) : 1);
        cover.upper.push_back(cover.lower.back() + (rng.one_in(4) ? rng.number(0, 2) : 0));
    }
    cover.first = {0};
    Options every(static_cast<std::size_t>(items));
    for (int i = 0; i < items; ++i) every[static_cast<std::size_t>(i)] = i;
    for (int o = 0; o < options; ++o) {
        std::sample(every.begin(), every.end(), std::back_inserter(cover.members), rng.number(1, 4),
                    rng.source);
        cover.first.push_back(std::ssize(cover.members));
    }
    cover.colors.resize(cover.members.size());
    return cover;
}

bool contains(const Cover& cover, Index option, Index item) {
    const auto begin = cover.members.begin() + cover.first[option];
    return std::find(begin, cover.members.begin() + cover.first[option + 1], item) !=
           cover.members.begin() + cover.first[option + 1];
}

// All sets of options that keep the bounds, and the clauses that say so: no such set of options may
// be chosen (positive: excluded) completely.
struct Expected {
    Clauses clauses;
    std::set<Options> solutions;
};

Expected expected_of(const Cover& cover) {
    Expected expected;
    const int options = cover.options();
    for (Index item = 0; item < cover.items(); ++item) {
        std::vector<int> owners;
        for (Index o = 0; o < options; ++o)
            if (contains(cover, o, item)) owners.push_back(o + 1);
        const int count = static_cast<int>(owners.size());
        for (int set = 0; set < 1 << count; ++set) {
            const int size = __builtin_popcount(static_cast<unsigned>(set));
            std::vector<int> clause;
            for (int k = 0; k < count; ++k)
                if (set >> k & 1) clause.push_back(owners[static_cast<std::size_t>(k)]);
            if (size == count - cover.lower[item] + 1) expected.clauses.push_back(clause);
            for (int& literal : clause) literal = -literal;
            if (size == cover.upper[item] + 1) expected.clauses.push_back(clause);
        }
        if (cover.lower[item] > count) expected.clauses.push_back({});
    }
    for (int set = 0; set < 1 << options; ++set) {
        Options chosen;
        for (Index o = 0; o < options; ++o)
            if (set >> o & 1) chosen.push_back(o);
        bool good = true;
        for (Index item = 0; good && item < cover.items(); ++item) {
            const auto uses = std::ranges::count_if(
                chosen, [&](Index option) { return contains(cover, option, item); });
            good = uses >= cover.lower[item] && uses <= cover.upper[item];
        }
        if (good) expected.solutions.insert(chosen);
    }
    return expected;
}

void check_search(Rng& rng) {
    const Cover cover = random_cover(rng, rng.number(1, 8), rng.number(0, 10));
    Expected expected = expected_of(cover);
    Options variables;
    for (Index o = 0; o < cover.options(); ++o) variables.push_back(o + 1);
    Refuter search({cover, variables, {}, {}});
    std::string proof;
    std::set<Options> found;
    while (!search.finished()) {
        search.run(1, static_cast<std::size_t>(rng.number(1, 50)));
        proof += search.take_text();
        const Paths paths = search.take_solutions();
        std::size_t begin = 0;
        for (const std::size_t end : paths.ends) {
            const auto path = paths.moves.begin();
            const Options solution(path + static_cast<std::ptrdiff_t>(begin),
                                   path + static_cast<std::ptrdiff_t>(end));
            demand(found.insert(solution).second, "a solution was found twice");
            begin = end;
        }
    }
    demand(found == expected.solutions, "solutions differ");
    for (const Options& solution : found) {
        std::vector<int> clause;
        for (Index o = 0; o < cover.options(); ++o)
            clause.push_back(std::ranges::count(solution, o) ? -o - 1 : o + 1);
        expected.clauses.push_back(clause);
    }
    const std::string formula = formula_of(expected.clauses, cover.options());
    demand(is_accepted(formula, proof, ProofKind::kDrup), "a proof was refused");
    is_accepted(formula, damaged(proof, rng), ProofKind::kDrup);
    if (found.empty()) return;
    expected.clauses.pop_back();
    const std::string open = formula_of(expected.clauses, cover.options());
    demand(!is_accepted(open, proof, ProofKind::kDrup), "a solution was overlooked");
}

// Returns whether it was refused.
bool check_malformed(Rng& rng) {
    Cover cover = random_cover(rng, rng.number(1, 8), rng.number(1, 10));
    const auto wild = [&rng] {
        return rng.one_in(3) ? std::numeric_limits<Index>::min() : rng.number(-3, 12);
    };
    Options variables(static_cast<std::size_t>(cover.options()), 1);
    Options excluded = {0}, chosen;
    for (int turn = rng.number(1, 3); turn > 0; --turn) switch (rng.number(0, 5)) {
            case 0:
                cover.lower[0] = wild();
                break;
            case 1:
                cover.members[0] = wild();
                break;
            case 2:
                cover.first[1] = wild();
                break;
            case 3:
                variables.push_back(wild());
                break;
            case 4:
                excluded.push_back(wild());
                break;
            default:
                chosen.push_back(wild());
        }
    try {
        Refuter({cover, variables, excluded, chosen}).run(1, 1 << 16);
    } catch (const std::exception&) {
        return true;
    }
    return false;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: fuzz_proofs SECONDS [FIRST SEED] [LAST SEED]\n");
        return 2;
    }
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration<double>(std::atof(argv[1]));
    const long first = argc > 2 ? std::atol(argv[2]) : 0;
    const long last = argc > 3 ? std::atol(argv[3]) : std::numeric_limits<long>::max();
    long accepted = 0, refused = 0, seed = first;
    for (; seed <= last && Clock::now() < end; ++seed) {
        Rng rng{std::mt19937_64(static_cast<std::uint64_t>(seed))};
        try {
            accepted += check_random(rng);
            check_search(rng);
            refused += check_malformed(rng);
        } catch (const std::exception& error) {
            std::fprintf(stderr, "seed %ld: %s\n", seed, error.what());
            return 1;
        }
    }
    std::printf("seeds %ld to %ld; accepted: %ld random proofs; refused: %ld problems\n", first,
                seed - 1, accepted, refused);
    return 0;
}
