/**
 * The one inline script: keeps the page beneath out of reach while the splash covers it, and takes
 * the splash away when its clock, the animation on it in `splash.css`, has run out. Needs no React.
 *
 * Goes into the document as its own source text, so it may use nothing from around it.
 */
export function gateSplash() {
  const splash = document.getElementById('splash') as HTMLElement
  const root = document.getElementById('root') as HTMLElement
  root.inert = true
  // Settled, not fulfilled: a cancelled clock (printing, a user's own style) must not lock the page.
  Promise.allSettled(splash.getAnimations().map((clock) => clock.finished)).then(() => {
    root.inert = false
    splash.remove()
  })
}
