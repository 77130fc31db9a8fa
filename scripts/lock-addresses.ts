/**
 * `npm run locks`, after a change of packages: writes into each lock file where a package's contents are.
 * Without that, npm asks the registry for a list of all versions of each package before it fetches one:
 * for React alone, 11 MB. The host is a stand-in, which npm replaces by the registry that it is set to.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'

interface Locked {
  readonly name?: string
  readonly version: string
  readonly resolved?: string
  readonly integrity?: string
}

const exclude = (path: string) => basename(path) === 'node_modules'
for (const file of globSync('**/package-lock.json', { exclude })) {
  const before = readFileSync(file, 'utf8')
  const lock = JSON.parse(before)
  for (const [folder, locked] of Object.entries<Locked>(lock.packages))
    if (locked.integrity) lock.packages[folder] = withAddress(folder, locked)
  const after = `${JSON.stringify(lock, null, 2)}\n`
  if (after === before) continue
  writeFileSync(file, after)
  console.log(`${file}: written`)
}

/** In the order in which npm writes it. */
function withAddress(folder: string, { resolved: _, ...locked }: Locked): Locked {
  const { name = folder.replace(/^.*node_modules\//, ''), version, ...others } = locked
  const resolved = `https://registry.invalid/${name}/-/${basename(name)}-${version}.tgz`
  return { ...(locked.name && { name }), version, resolved, ...others }
}
