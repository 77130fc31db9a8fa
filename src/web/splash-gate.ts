/**
 * The one inline script: keeps the page beneath out of reach while the splash covers it, and takes
 * the splash away when its clock, the animation on it in `splash.css`, has run out. Needs no React.
 * It lets the page's own script in when nothing moves, between the rise of the name and the
 * hand-over: reading that costs a slow phone a fifth of a second, and the splash its frames.
 *
 * Goes into the document as its own source text, so it may use nothing from around it.
 *
 * @param main where the page's own script is.
 */
export function gateSplash(main: string) {
  const splash = document.getElementById('splash') as HTMLElement
  const name = splash.querySelector('.splash-name') as HTMLElement
  const root = document.getElementById('root') as HTMLElement
  // Settled, not fulfilled: one that is cancelled (printing, a user's own style) must not lock the page.
  const end = (animations: Animation[]) => Promise.allSettled(animations.map((one) => one.finished))

  root.inert = true
  end(splash.getAnimations()).then(() => {
    root.inert = false
    splash.remove()
  })

  // Its first animation; there is none for who wants no motion.
  end(name.getAnimations().slice(0, 1)).then(() => {
    const script = document.createElement('script')
    script.type = 'module'
    script.src = main
    // Blocked or lost: whoever cannot sign up is told as they are told who have no script. Where a
    // server takes the form, there is nothing to tell.
    script.onerror = () => {
      const told = document.querySelector('noscript')
      told?.replaceWith(told.textContent)
    }
    document.head.append(script)
  })
}
