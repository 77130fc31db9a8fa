/**
 * Marks on the page's timeline, and says on its console, when the splash is gone. Runs in the page,
 * before its own script, so it may use nothing from around it.
 */
export function markSplashEnd() {
  let seen = false
  new MutationObserver((_, observer) => {
    const isThere = document.getElementById('splash') !== null
    if (seen && !isThere) {
      performance.mark('splash gone')
      console.log('splash gone')
      observer.disconnect()
    }
    seen ||= isThere
  }).observe(document, { childList: true, subtree: true })
}
