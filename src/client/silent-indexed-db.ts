const WITHIN_MS = 3000

/**
 * Hides IndexedDB where it never answers, so that Firebase's library keeps its user in memory as it
 * does where there is none. Safari is known for it, and the library would wait for ever:
 * https://github.com/firebase/firebase-js-sdk/issues/8019
 */
export async function hideSilentIndexedDb(): Promise<void> {
  const isSilent = await Promise.race([
    opened().then(() => false),
    new Promise<boolean>((resolve) => setTimeout(resolve, WITHIN_MS, true)),
  ])
  if (isSilent) Object.defineProperty(globalThis, 'indexedDB', { value: undefined })
}

/** Whether IndexedDB answers at all: an error is an answer too. */
function opened(): Promise<void> {
  return new Promise((resolve) => {
    try {
      const request = indexedDB.open('opening-bell')
      request.onerror = () => resolve()
      request.onsuccess = () => {
        request.result.close()
        resolve()
      }
    } catch {
      resolve()
    }
  })
}
