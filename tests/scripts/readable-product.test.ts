import { spawnSync } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../fixtures/temp-dir.ts'

/** Starts a program beside a `product.config.ts`. */
function start(config?: string) {
  const root = tempDir()
  // Without it, one that lies in a folder above would count.
  writeFileSync(join(root, 'package.json'), '{"type":"module"}')
  const first = join(root, 'scripts/bootstrap/readable-product.mjs')
  for (const file of ['scripts/bootstrap/readable-product.mjs', 'src/product/folders.mjs'])
    cpSync(file, join(root, file))
  if (config !== undefined) writeFileSync(join(root, 'product.config.ts'), config)
  writeFileSync(join(root, 'main.mjs'), `import './product.config.ts'; console.log('started')`)
  const args = [`--import=${pathToFileURL(first).href}`, join(root, 'main.mjs')]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return { root, status, stdout, stderr }
}

const config = (pitch: string) => `const product: object = {
  name: 'Kestrel',
  pitch: ${pitch},
  logo: 'brand/logo.svg',
}

export default product
`

describe('a slip of the pen in product.config.ts', () => {
  it('is one sentence, with the line and what to write', () => {
    expect(start(config(`'It's open'`))).toMatchObject({
      status: 1,
      stdout: '',
      stderr: `product.config.ts: line 3 cannot be read: pitch: 'It's open', (a text with an apostrophe stands in double quotes: "It's open")\n`,
    })
    const { status, stderr } = start(config(`"It's open`))
    expect(status).toBe(1)
    expect(stderr).toMatch(/^product\.config\.ts: [^\n]*\n$/)
  })

  it('is one sentence where it names what is not there, or stops in the middle', {
    tags: 'thorough',
  }, () => {
    const refused = (config: string) => start(config).stderr
    expect(refused('const a = 1\nexport default { name: Foo }\n')).toBe(
      'product.config.ts: line 2 cannot be read: Foo is not defined\n',
    )
    expect(refused("import x from 'nowhere'\nexport default x\n")).toMatch(
      /^product\.config\.ts: cannot be read: Cannot find package 'nowhere'[^\n]*\n$/,
    )
    expect(refused('export default { name: ')).toBe(
      'product.config.ts: line 1 cannot be read: export default { name: (look whether a quote, a comma or a bracket is missing in it or before it)\n',
    )
  })

  it('is one sentence where there is no such file', () => {
    const { root, status, stderr } = start()
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `product.config.ts: there is none in ${root}\n`,
    })
  })

  it('is none where there is an apostrophe in double quotes', () => {
    expect(start(config(`"It's open"`))).toMatchObject({ status: 0, stdout: 'started\n' })
  })
})
