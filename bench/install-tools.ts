import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Installs what only the benchmark needs, into a folder of its own beside this file.
 *
 * @param name of the folder, which has a `package.json` and a lock.
 * @returns where the packages are.
 */
export async function installTools(name: string): Promise<string> {
  const folder = join(import.meta.dirname, name)
  const modules = join(folder, 'node_modules')
  const lock = join(folder, 'package-lock.json')
  const installed = join(modules, '.package-lock.json')
  if (!existsSync(installed) || !sameVersions(lock, installed)) {
    console.error(`Installing ${name} for the benchmark alone …`)
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
    const args = ['ci', '--ignore-scripts', '--replace-registry-host=always', ...quiet]
    execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  }
  return modules
}

function sameVersions(lock: string, installed: string): boolean {
  const { packages: wanted } = JSON.parse(readFileSync(lock, 'utf8'))
  const { packages: there } = JSON.parse(readFileSync(installed, 'utf8'))
  return Object.entries<{ version: string }>(there).every(
    ([path, { version }]) => wanted[path]?.version === version,
  )
}
