// A plugin of Stryker: of all mistakes it tries only a sample, the same one for the same seed. What
// is left out is marked as if it did not compile, which nobody counts.
import { hash } from 'node:crypto'
import { relative } from 'node:path'

/**
 * @typedef {{ line: number, column: number }} Place
 * @typedef {{ id: string, fileName: string, replacement: string,
 *   location: { start: Place, end: Place } }} Mutant
 */

/**
 * By what a mistake is, not by its number: it is drawn or not whatever else is changed.
 *
 * @param {Mutant} mutant
 * @param {number} every one of so many is tried.
 * @param {number} seed
 */
function isDrawn({ fileName, location: { start, end }, replacement }, every, seed) {
  const place = [start.line, start.column, end.line, end.column]
  const name = [seed, relative(process.cwd(), fileName), ...place, replacement].join(':')
  return Number.parseInt(hash('sha256', name).slice(0, 8), 16) % every === 0
}

function createChecker() {
  const [every, seed] = [Number(process.env.MUTANTS_EVERY), Number(process.env.MUTANTS_SEED)]
  const of = (/** @type {Mutant} */ mutant) =>
    isDrawn(mutant, every, seed)
      ? { status: 'passed' }
      : { status: 'compileError', reason: 'not in the sample' }
  return {
    async init() {},
    async check(/** @type {Mutant[]} */ mutants) {
      return Object.fromEntries(mutants.map((mutant) => [mutant.id, of(mutant)]))
    },
    // All at once: nothing is compiled.
    async group(/** @type {Mutant[]} */ mutants) {
      return [mutants.map(({ id }) => id)]
    },
  }
}

export const strykerPlugins = [{ kind: 'Checker', name: 'sample', factory: createChecker }]
