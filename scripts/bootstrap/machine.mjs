/**
 * @typedef {{ platform: string, arch: string, libc: string }} Machine as npm names them.
 * @typedef {string | string[] | undefined} Names
 */

/** @returns {Machine} */
export function runningMachine() {
  const { platform, arch } = process
  return { platform, arch, libc: platform === 'linux' ? linuxLibc() : '' }
}

function linuxLibc() {
  Object.assign(process.report, { excludeNetwork: true }) // Asking for host names can take seconds.
  const report = /** @type {{ header: object }} */ (process.report.getReport())
  return 'glibcVersionRuntime' in report.header ? 'glibc' : 'musl'
}

/**
 * Whether a package says that it runs on a machine; one that says nothing does.
 *
 * @param {{ os?: Names, cpu?: Names, libc?: Names }} package
 * @param {Machine} machine
 */
export function fits({ os, cpu, libc }, machine) {
  return allows(os, machine.platform) && allows(cpu, machine.arch) && allows(libc, machine.libc)
}

/**
 * @param {Names} names the only ones allowed, or, with `!`, ones that are not.
 * @param {string} name
 */
function allows(names, name) {
  if (names === undefined) return true
  const list = [names].flat()
  return list.includes(name) || (list.every((n) => n.startsWith('!')) && !list.includes(`!${name}`))
}
