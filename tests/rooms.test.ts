import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The rows of CONTRIBUTING's table, in its order: a folder or a file of `src`, and what it may import. */
const rooms = [...read('CONTRIBUTING.md').matchAll(/^\| `src\/([^`]+)` \|.*\| ([^|]*) \|$/gm)].map(
  ([, name = '', allowed = '']) => ({
    name,
    mayImport: [...allowed.matchAll(/`([^`]+)`/g)].map(([, room = '']) => room),
  }),
)

const files = globSync('src/**/*.{ts,tsx,mjs}', {
  cwd: root,
  exclude: ['src/**/node_modules/**'],
})

/** What a file imports of ours, also for its types alone. */
function importsOf(file: string): string[] {
  const found = read(file).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g)
  return [...found].map(([, path = '']) => join(dirname(file), path))
}

const ofOurs = (path: string) => files.includes(path)
const imports = new Map(files.map((file) => [file, importsOf(file).filter(ofOurs)]))

/** A `*` is the folder of any feature. */
const isIn = (file: string, place: string) =>
  new RegExp(`^${place.replaceAll('.', '\\.').replace('*', '[^/.]+')}(/|$)`).test(file)

/** The longest row that a file falls under; a row of one file has what it imports, and no more. */
function roomOf(file: string, named = rooms): string | undefined {
  const within = named.filter(({ name }) => isIn(file, `src/${name}`))
  return within.toSorted((a, b) => b.name.length - a.name.length)[0]?.name
}

/** What rows name: folders, and of features files as well. */
const folders = rooms.filter(({ name }) => !name.endsWith('.ts') || name.startsWith('features/'))

const featureOf = (file: string) => /^src\/features\/([^/]+)\//.exec(file)?.[1]

describe('the rooms of src', () => {
  it('have a row in the table of CONTRIBUTING for each file', () => {
    expect(files.filter((file) => roomOf(file) === undefined)).toEqual([])
    expect(rooms.filter(({ name }) => !files.some((file) => isIn(file, `src/${name}`)))).toEqual([])
  })

  it('may import only what stands above them in the table', () => {
    const upward = rooms.flatMap(({ name, mayImport }, at) =>
      mayImport
        .filter((other) => !rooms.slice(0, at).some((above) => above.name === other))
        .map((other) => `${name} → ${other}`),
    )
    expect(upward).toEqual([])
  })

  it('import only what their row names', () => {
    const wrong = [...imports].flatMap(([file, imported]) => {
      const from = roomOf(file)
      const allowed = rooms.find(({ name }) => name === from)?.mayImport ?? []
      return imported
        .filter((other) => !featureOf(file) || featureOf(file) !== featureOf(other))
        .filter((other) => {
          const to = roomOf(other, folders)
          return to !== from && to !== roomOf(file, folders) && !allowed.includes(String(to))
        })
        .map((other) => `${file} → ${other}`)
    })
    expect(wrong).toEqual([])
  })

  it('import no other feature from a feature, and one from elsewhere only in the lists', () => {
    const lists = ['rules.ts', 'faces.ts', 'page.tsx', 'desk-page.tsx'].map(
      (list) => `src/features/${list}`,
    )
    const wrong = [...imports].flatMap(([file, imported]) =>
      imported
        .filter((other) => featureOf(other) && featureOf(other) !== featureOf(file))
        .filter(() => !lists.includes(file))
        .map((other) => `${file} → ${other}`),
    )
    expect(wrong).toEqual([])
  })

  it('import nothing from outside of src, which neither a container nor a package has', () => {
    const outside = files.flatMap((file) =>
      importsOf(file)
        .filter((path) => !path.startsWith('src/'))
        .map((path) => `${file} → ${path}`),
    )
    expect(outside).toEqual([])
  })

  it('import nothing in a circle, also not by types alone', () => {
    const done = new Set<string>()
    const circles: string[] = []
    function visit(file: string, way: readonly string[]): void {
      if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(' → '))
      if (done.has(file) || way.includes(file)) return
      for (const other of imports.get(file) ?? []) visit(other, [...way, file])
      done.add(file)
    }
    for (const file of files) visit(file, [])
    expect(circles).toEqual([])
  })
})
