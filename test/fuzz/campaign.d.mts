import type { MountedRoute } from '../../src/wordpress/rest/dispatch.js';
import type { Server } from '../../src/index.js';
import type { Profile } from '../../src/wordpress/quirks.js';

export interface CampaignOptions {
  server: Server;
  table: MountedRoute[];
  world: unknown;
  profile: Profile;
  requests: number;
  seed: number;
  perRound?: number;
  atOnce?: number;
  failuresAtMost?: number;
  onProgress?: (sent: number, statuses: Record<string, number>) => void;
}

export interface CampaignReport {
  sent: number;
  statuses: Record<string, number>;
  /** Failures, with the request as a command line. */
  failures: string[];
}

export function campaign(options: CampaignOptions): Promise<CampaignReport>;
