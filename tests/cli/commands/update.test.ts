import { join } from 'node:path'
import { expect, it } from 'vitest'
import { operator } from '../../fixtures/operator.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

it('looks at the folder that is named, and says in one line where it is no installation', async () => {
  const folder = tempDir()
  const update = (root: string) =>
    operator(['update', '--check', '--in', root], { env: { DATA_DIR: tempDir() } })
  expect(await update(folder)).toEqual({
    code: 1,
    stdout: '',
    stderr: `${folder} is no checkout of git, so nothing says where it is from.\n`,
  })
  const nowhere = join(folder, 'none')
  expect((await update(nowhere)).stderr).toBe(`--in: there is no folder ${nowhere}.\n`)
})
