import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { HOLDS_MS } from '../src/people/confirmation-lifetime.ts'
import { SESSION_S } from '../src/server/http/session-cookie.ts'
import { MOST_DAYS } from '../src/store/visits.ts'
import { tempDir } from './fixtures/temp-dir.ts'

const root = join(import.meta.dirname, '..')
const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: root })
const tests = globSync('**/*.{test,spec}.ts', {
  cwd: import.meta.dirname,
  exclude: (path) => path.includes('node_modules'),
})

/** What each document says that matches, as `[document, match]`. */
function said(pattern: RegExp): [string, string][] {
  return documents.flatMap((document) => {
    const text = readFileSync(join(root, document), 'utf8')
    return [...text.matchAll(pattern)].map(([, found = '']): [string, string] => [document, found])
  })
}

/** The names by which the headings of a page are linked to. */
function anchorsIn(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  )
}

describe('the documents', () => {
  it('link to nothing that is not there', () => {
    const links = said(/\]\((?!https?:|mailto:|#)([^)#]+)/g)
    expect(links).not.toEqual([])
    const isMissing = ([document, path]: [string, string]) =>
      !existsSync(join(root, dirname(document), path))
    expect(links.filter(isMissing)).toEqual([])
  })

  it('link to no heading that is not there', () => {
    const links = said(/\]\(((?!https?:|mailto:)[^)#]*#[^)]+)/g)
    expect(links.length).toBeGreaterThan(20)
    const isMissing = ([document, link]: [string, string]) => {
      const [path = '', heading = ''] = link.split('#')
      const file = path === '' ? join(root, document) : join(root, dirname(document), path)
      return !anchorsIn(readFileSync(file, 'utf8')).includes(heading)
    }
    expect(links.filter(isMissing)).toEqual([])
  })

  it('lead nobody to run what the registry has under our name, nor does anything we print', {
    tags: 'thorough',
  }, () => {
    const printed = globSync('{src,bin,scripts}/**/*.{ts,tsx,mjs}', {
      cwd: root,
      exclude: (path) => path.includes('node_modules'),
    })
    expect(printed.length).toBeGreaterThan(100)
    const leads = [...documents, ...printed].filter(
      (file) =>
        // It is about folders in which our package is installed, and found before the registry's.
        file !== 'docs/own-folder.md' &&
        /np(x|m exec)\s+(--?\S+\s+)*opening-bell/.test(readFileSync(join(root, file), 'utf8')),
    )
    expect(leads).toEqual([])
    expect(said(/`(bin\/opening-bell) /g).length).toBeGreaterThan(5)
    expect(spawnSync(join(root, 'bin/opening-bell'), ['--help']).status).toBe(0)
  })

  it('show a moving picture that is no burden to open', () => {
    const film = readFileSync(join(root, 'docs/splash.webp'))
    expect(film.toString('latin1', 0, 16)).toMatch(/^RIFF....WEBPVP8X$/s)
    expect(film.toString('latin1').match(/ANMF/g)?.length).toBeGreaterThan(40)
    expect(film.length).toBeLessThan(400_000)
  })

  it('tell how to work on the code in 1,600 words', () => {
    expect(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split(/\s+/).length).toBeLessThan(
      1600,
    )
  })

  it('begin with a page that is read in four minutes', () => {
    const words = readFileSync(join(root, 'README.md'), 'utf8').split(/\s+/).length
    expect(words).toBeLessThanOrEqual(900)
  })

  it('are all in the index, by what somebody wants to do', () => {
    const pages = globSync('*.md', { cwd: join(root, 'docs'), exclude: ['README.md'] })
    expect(pages.length).toBeGreaterThan(20)
    const index = readFileSync(join(root, 'docs/README.md'), 'utf8')
    expect(pages.filter((page) => !index.includes(`](${page}`))).toEqual([])
  })

  it('say why each room is as it is on a page of 500 words, 8,000 in all, each in the index', () => {
    const folder = join(root, 'docs/decisions')
    const pages = globSync('*.md', { cwd: folder })
    expect(pages.length).toBeGreaterThan(15)
    const words = pages.map(
      (page) => readFileSync(join(folder, page), 'utf8').trim().split(/\s+/).length,
    )
    expect(pages.filter((_, at) => (words[at] ?? 0) > 500)).toEqual([])
    expect(words.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(8000)
    const index = readFileSync(join(folder, 'README.md'), 'utf8')
    const others = pages.filter((page) => page !== 'README.md')
    expect(others.filter((page) => !index.includes(`](${page})`))).toEqual([])
  })

  it('tell visitors the lifetimes that the code has, in both languages', () => {
    const text = readFileSync(join(root, 'docs/privacy.md'), 'utf8')
    for (const sentence of [
      `lasts for ${SESSION_S / 3600} hours`,
      `gilt ${SESSION_S / 3600} Stunden`,
      `erased after ${HOLDS_MS / 86_400_000} days`,
      `nach ${HOLDS_MS / 86_400_000} Tagen gelöscht`,
      `by the day, and erased after ${MOST_DAYS} days`,
      `je Tag gezählt und nach ${MOST_DAYS} Tagen gelöscht`,
    ])
      expect(text).toContain(sentence)
  })

  it('name no test file that is not there', () => {
    const names = said(/([\w/.-]+\.(?:test|spec)\.ts)/g)
    expect(names).not.toEqual([])
    const isMissing = ([, name]: [string, string]) =>
      !tests.some((test) => `/tests/${test}`.endsWith(`/${name}`))
    expect(names.filter(isMissing)).toEqual([])
  })
})

it('git keeps no list and no key that the documents tell to put beside the code', (context) => {
  const names = said(/--output (\S+?)[`\s]/g).map(([, name]) => name)
  for (const name of ['who.txt', 'list.csv', 'launch.html']) expect(names).toContain(name)
  const folder = tempDir()
  const git = (...args: string[]) => spawnSync('git', args, { cwd: folder, encoding: 'utf8' })
  if (git('init').error) return context.skip('there is no git')
  copyFileSync(join(root, '.gitignore'), join(folder, '.gitignore'))
  const keys = said(/GOOGLE_APPLICATION_CREDENTIALS=(\S+)/g).map(([, name]) => name)
  expect(keys).toContain('service-account.json')
  const left = [
    ...names,
    ...keys,
    'list.json',
    'list.ndjson',
    'list.csv.part',
    'copy.sqlite',
    'copy.sqlite-wal',
  ].concat('data', 'data.old/link.key', 'data.tar.gz', 'data~/seal.key', 'data-before/link.key')
  expect(
    git('check-ignore', ...left)
      .stdout.trim()
      .split('\n'),
  ).toEqual(left)
  expect(
    git('check-ignore', 'package.json', 'launch.md', 'index.html', 'docs/data.md', 'database.ts')
      .stdout,
  ).toBe('')
})
