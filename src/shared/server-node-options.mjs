// Plain JavaScript, and nothing but Node: it is also read before anything is installed.

/**
 * How Node runs the server: young objects have 2 MB. By default their room grows while the server has
 * nothing to do, by 10 MB within a minute, and brings neither pages nor sign-ups.
 */
export const serverNodeOptions = ['--max-semi-space-size=2']
