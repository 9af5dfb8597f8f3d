// The system's own notifications. A browser is asked for leave only when the player wants them.

export type Leave = 'yes' | 'no' | 'unknown to this browser';

/** Whether the player may be notified; he is asked if he never was. Only ever called by a click of his. */
export async function askLeave(): Promise<Leave> {
  // browsers have them on secure pages alone
  if (!('Notification' in window)) return 'unknown to this browser';
  const answer = Notification.permission === 'default' ? await Notification.requestPermission() : Notification.permission;
  return answer === 'granted' ? 'yes' : 'no';
}

/** The player is told, if he looks elsewhere and has asked for it. A later word about the same thing takes its place. */
export function notify(about: string, title: string, text: string): void {
  if (!document.hidden && document.hasFocus()) return;
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  try {
    const shown = new Notification(title, { body: text, tag: about });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    // some phones let no page do this by itself; the title of the page still says it
  }
}
