import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lookAtList } from '../../../src/store/open-store.ts'
import { founder, git, MIGRATION, upstream } from './founder.ts'

const PITCH = 'The all-in-one terminal'

describe('update', () => {
  it('with --check says what would change, and changes nothing', async () => {
    const ours = upstream()
    const theirs = await founder(ours)
    const before = theirs.head()
    expect((await theirs.update(['--check'])).stderr).toBe('Nothing is new.\n')
    ours.release('Keep something new')
    const { code, stderr } = await theirs.update(['--check'])
    expect(stderr).toMatch(/New:\n {2}[0-9a-f]+ Keep something new\n/)
    expect(stderr).toContain('  11: Something is kept that was not known before.\n')
    expect(code).toBe(0)
    expect(theirs.head()).toBe(before)
    expect(existsSync(join(theirs.root, MIGRATION))).toBe(false)
    // Without a terminal, nobody can be asked.
    const asked = await theirs.update([])
    expect(asked).toMatchObject({ code: 1 })
    expect(asked.stderr).toContain('--yes')
    expect(theirs.head()).toBe(before)
  })

  it('brings a running server up, with the founder’s commits and edits, and everybody', async () => {
    const ours = upstream()
    const theirs = await founder(ours)
    theirs.edit('index.html', '<html', '<html data-ours')
    git(theirs.root, 'commit', '-qam', 'Ours')
    theirs.edit('product.config.ts', PITCH, 'Our own pitch')
    writeFileSync(join(theirs.root, 'brand/second.svg'), '<svg/>')
    await theirs.start()
    expect(await theirs.signUp('ada@example.com')).toBe(201)
    const newest = ours.release()
    const pid = theirs.serverPid()

    const { code, stderr } = await theirs.update()
    expect(stderr).toContain('Yours, not committed, and kept: brand/second.svg, product.config.ts')
    expect(stderr).toContain('brought it up to version 11: 1 subscriber, all there.')
    expect(stderr).toMatch(/[0-9a-f]{9} runs, and is ready\.\n$/)
    expect(code).toBe(0)

    expect(theirs.serverPid()).not.toBe(pid)
    expect(await theirs.signUp('bob@example.com')).toBe(201)
    expect(lookAtList(theirs.dataDir)).toMatchObject({ version: 11, subscribers: 2 })
    expect(theirs.read('product.config.ts')).toContain('Our own pitch')
    expect(theirs.read('index.html')).toContain('data-ours')
    expect(existsSync(join(theirs.root, 'brand/second.svg'))).toBe(true)
    expect(git(theirs.root, 'merge-base', 'HEAD', newest)).toBe(newest)
    expect(
      git(theirs.root, 'status', '--porcelain', 'src', 'brand', 'product.config.ts').split('\n'),
    ).toEqual(['M product.config.ts', '?? brand/second.svg'])
    expect(existsSync(join(theirs.root, '.update/next'))).toBe(false)
    expect(existsSync(join(theirs.dataDir, 'subscribers.update'))).toBe(false)
    expect((await theirs.update()).stderr).toBe('Nothing is new.\n')
  })
})
