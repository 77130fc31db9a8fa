import { basename, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { Refused } from './refused.mjs'
import { checkWords, slugOf } from './words.mjs'
import { refuseTakenFolder } from './write-folder.mjs'

export const HELP = `npm create opening-bell@latest [folder] -- [options]

  --name <text>    the product's name
  --pitch <text>   one sentence about it
  --git            begin a repository there, with git init
  --no-install     write the files only, without npm install
  --yes            ask nothing, and make what is not given from the folder's name

The folder must be new or empty. The command asks for what is not given.`

/**
 * @typedef {{ name: string, pitch: string }} Words
 * @typedef {{ folder: string, words: Words, git: boolean, install: boolean }} Answers
 */

/**
 * Reads what the command was called with, and asks for the rest where somebody is there to answer.
 *
 * @param {string[]} args
 * @returns {Promise<Answers | undefined>} nothing where help is asked for.
 * @throws {Refused} a line for each mistake
 */
export async function answers(args) {
  const { values, positionals } = parsed(args)
  if (values.help) return undefined
  if (positionals.length > 1) throw new Refused(`One folder is made at a time.\n\n${HELP}`)
  const asks = !values.yes && process.stdin.isTTY && process.stdout.isTTY
  const terminal = asks && createInterface({ input: process.stdin, output: process.stdout })
  /**
   * @param {string} question
   * @param {string} otherwise
   */
  const ask = async (question, otherwise) =>
    (terminal && (await terminal.question(`${question} (${otherwise}): `)).trim()) || otherwise
  try {
    const folder = resolve(positionals[0] ?? (await ask('Folder', 'my-product')))
    refuseTakenFolder(folder)
    const name = values.name?.trim() || (await ask('Name of the product', nameOf(folder)))
    const pitch =
      values.pitch?.trim() || (await ask('One sentence about it', `${name} opens soon.`))
    const words = { name, pitch }
    checkWords(words)
    return { folder, words, git: values.git ?? false, install: !values['no-install'] }
  } finally {
    if (terminal) terminal.close()
  }
}

/** @param {string[]} args */
function parsed(args) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        pitch: { type: 'string' },
        git: { type: 'boolean' },
        'no-install': { type: 'boolean' },
        yes: { type: 'boolean', short: 'y' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (cause) {
    throw new Refused(`${cause instanceof Error ? cause.message : cause}\n\n${HELP}`)
  }
}

/** @param {string} folder */
function nameOf(folder) {
  const [first = 'm', ...rest] = slugOf(basename(folder)).replaceAll('-', ' ')
  return first.toUpperCase() + rest.join('')
}
