import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vite'
import { expect, test } from 'vitest'
import { tooOld } from '../../scripts/bootstrap/old-node.mjs'
import { ended, run } from '../fixtures/run.ts'

const ROOT = join(import.meta.dirname, '../..')
const ENTRIES = ['scripts/prepared.mjs', 'bin/opening-bell.mjs']
const LINE = (version: string) =>
  `Node 20.19 or newer is needed, and this is ${version}: https://nodejs.org/en/download`

test.for<[string, string | undefined]>([
  ['18.20.8', LINE('18.20.8')],
  ['20.18.3', LINE('20.18.3')],
  ['20.19.0', undefined],
  ['22.0.0', undefined],
])('Node %s gets the line: %s', ([version, line]) => {
  expect(tooOld(version)).toBe(line)
})

test.for(ENTRIES)('%s says so, whatever it would have done', async (entry) => {
  // The older ones themselves would be a download: this one says that it is one of them.
  const versions = '{...process.versions,node:"18.20.8"}'
  const older = `data:text/javascript,Object.defineProperty(process,"versions",{value:${versions}})`
  const started = run(ROOT, [process.execPath, '--import', older, entry])
  expect(await ended(started)).toEqual({ code: 1, stdout: '', stderr: `${LINE('18.20.8')}\n` })
})

test.for(ENTRIES)('%s reads nothing else before it has looked', (file) => {
  // Whatever is imported at the top is read before any line runs.
  const imports = parseAst(readFileSync(join(ROOT, file), 'utf8')).body.flatMap((node) =>
    node.type === 'ImportDeclaration' ? [node.source.value] : [],
  )
  expect(imports).toEqual([
    expect.stringMatching(/^\.{1,2}\/(scripts\/)?bootstrap\/old-node\.mjs$/),
  ])
})
