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

test.for(['12.22.12', '18.20.8', '20.18.3'])('Node %s is too old, in one line', (version) => {
  expect(tooOld(version)).toBe(LINE(version))
})

test.for(['20.19.0', '22.0.0', '24.21.0'])('Node %s is not', (version) => {
  expect(tooOld(version)).toBeUndefined()
})

test.for(ENTRIES)('%s says so, whatever it would have done', async (entry) => {
  // The older ones themselves would be a download: this one says that it is one of them.
  const versions = '{...process.versions,node:"18.20.8"}'
  const older = `data:text/javascript,Object.defineProperty(process,"versions",{value:${versions}})`
  const started = run(ROOT, [process.execPath, '--import', older, entry])
  expect(await ended(started)).toEqual({ code: 1, stdout: '', stderr: `${LINE('18.20.8')}\n` })
})

test.for([...ENTRIES, 'scripts/bootstrap/old-node.mjs'])('%s can be read by Node 12', (file) => {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const { body } = parseAst(text)
  // Whatever is imported at the top is read before any line runs.
  const imports = body.flatMap((node) =>
    node.type === 'ImportDeclaration' ? [node.source.value] : [],
  )
  const first = /^\.{1,2}\/(scripts\/)?bootstrap\/old-node\.mjs$/
  expect(imports.filter((source) => !first.test(source))).toEqual([])
  expect(newSyntaxIn(body)).toEqual([])
})

/** What came into the language after Node 12 and might be written here without a thought. */
function newSyntaxIn(node: unknown, isInFunction = false): string[] {
  if (Array.isArray(node)) return node.flatMap((one) => newSyntaxIn(one, isInFunction))
  if (typeof node !== 'object' || node === null) return []
  const { type, operator } = node as { type?: string; operator?: string }
  const isNew =
    type === 'ChainExpression' ||
    type === 'StaticBlock' ||
    type === 'PrivateIdentifier' ||
    (type === 'AwaitExpression' && !isInFunction) ||
    ['??', '??=', '||=', '&&='].includes(operator ?? '')
  const inside = isInFunction || /Function/.test(type ?? '')
  return [
    ...(isNew ? [`${type} ${operator ?? ''}`] : []),
    ...Object.values(node).flatMap((value) => newSyntaxIn(value, inside)),
  ]
}
