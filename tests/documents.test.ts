import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

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

describe('the documents', () => {
  it('link to nothing that is not there', () => {
    const links = said(/\]\((?!https?:|mailto:|#)([^)#]+)/g)
    expect(links).not.toEqual([])
    const isMissing = ([document, path]: [string, string]) =>
      !existsSync(join(root, dirname(document), path))
    expect(links.filter(isMissing)).toEqual([])
  })

  it('name no test file that is not there', () => {
    const names = said(/([\w/.-]+\.(?:test|spec)\.ts)/g)
    expect(names).not.toEqual([])
    const isMissing = ([, name]: [string, string]) =>
      !tests.some((test) => `/tests/${test}`.endsWith(`/${name}`))
    expect(names.filter(isMissing)).toEqual([])
  })
})
