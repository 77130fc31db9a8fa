/** What is mutated together, and the tests that are to notice; those that start processes cannot. */
export const rooms = {
  shared: {
    mutate: ['src/shared/*.ts'],
    tests: [
      'tests/shared/*.test.ts',
      'tests/{email,product,settings,unsubscribe-token}.test.ts',
      'tests/server-{api,site}.test.ts',
    ],
  },
  mail: { mutate: ['src/mail/*.ts'], tests: ['tests/mail/*.test.ts'] },
  announcement: {
    mutate: ['src/announcement/*.ts'],
    tests: ['tests/announcement/!(firestore-announce).test.ts'],
  },
  store: {
    mutate: ['src/store/*.ts'],
    tests: ['tests/{store,store-faults,sqlite-operations,backups,settings}.test.ts'],
  },
  server: {
    mutate: ['src/server/*.ts', '!src/server/main.ts'],
    tests: [
      'tests/server-{api,connections,form,limits,log,site,unsubscribe}.test.ts',
      'tests/settings.test.ts',
    ],
  },
} as const

export type Room = keyof typeof rooms
