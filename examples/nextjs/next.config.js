/** Images of a calendar on this machine. Before Next.js 16 there is no `dangerouslyAllowLocalIP`, and none is needed. */
export default {
  images: {
    remotePatterns: [{ protocol: 'http', hostname: '127.0.0.1' }],
    // Only where the calendar is a stand-in: never on a server that others reach.
    dangerouslyAllowLocalIP: process.env.NODE_ENV !== 'production' || process.env.CALENDAR_URL?.startsWith('http://127.0.0.1'),
  },
};
