export interface Room {
  /** What is mutated. */
  readonly mutate: readonly string[]
  /** The tests that are to notice. One that only starts programs cannot: they run the code as it is. */
  readonly tests: readonly string[]
}

export const rooms: Readonly<Record<string, Room>> = {
  shared: {
    // Stryker writes an expression of `plain-line.ts` anew in a way that no engine takes.
    mutate: ['src/shared/*.ts', '!src/shared/plain-line.ts'],
    tests: ['tests/shared/*.test.ts', 'tests/server/{api,form,site}.test.ts'],
  },
  site: {
    mutate: ['src/site/*.ts'],
    tests: ['tests/site/*.test.ts', 'tests/server/site{,-files}.test.ts'],
  },
  keys: { mutate: ['src/keys/*.ts'], tests: ['tests/{keys,server}/*.test.ts'] },
  mail: { mutate: ['src/mail/**/*.ts'], tests: ['tests/mail/**/*.test.ts'] },
  'sign-up': {
    mutate: ['src/sign-up/**/*.ts'],
    tests: ['tests/sign-up/**/*.test.ts', 'tests/server/confirm.test.ts'],
  },
  outbox: {
    mutate: ['src/outbox/*.ts'],
    tests: ['tests/outbox/*.test.ts', 'tests/server/confirm.test.ts'],
  },
  opening: { mutate: ['src/opening/*.ts'], tests: ['tests/opening/*.test.ts'] },
  announcement: {
    mutate: ['src/announcement/**/*.ts'],
    tests: ['tests/announcement/**/!(firestore-announce).test.ts'],
  },
  store: {
    mutate: ['src/store/*.ts', 'src/store/sqlite/**/*.ts'],
    tests: [
      'tests/store/!(moving).test.ts',
      'tests/store/sqlite/*.test.ts',
      'tests/keys/*.test.ts',
    ],
  },
  // On the emulator, each mistake takes as long as all that comes by it.
  firestore: {
    mutate: ['src/store/firestore/*.ts', 'src/store/firestore/migrations/*.ts'],
    tests: [
      'tests/store/firestore/*.test.ts',
      'tests/store/{store,standing,backups}.test.ts',
      'tests/server/confirm-firestore.test.ts',
    ],
  },
  server: {
    mutate: ['src/{server,config}/**/*.ts', '!src/server/main.ts'],
    tests: ['tests/server/!(process|signals|firestore).test.ts', 'tests/config/*.test.ts'],
  },
}
