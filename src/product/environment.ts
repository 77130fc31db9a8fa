export type Environment = Readonly<Record<string, string | undefined>>

/** What this process was given. Our settings are read from it by `src/config` alone. */
export const environment: NodeJS.ProcessEnv = process.env
