/**
 * Blocks of the plugin that stand for fields of an event. TEC: in its API no event is set up while texts are rendered, so they are shown
 * without any value.
 */
const DATETIME = `<div  class="tribe-events-schedule tribe-clearfix" >
	<p class="tribe-events-schedule__datetime">
		<span class="tribe-events-schedule__date tribe-events-schedule__date--start">
					</span>

					<span class="tribe-events-schedule__separator tribe-events-schedule__separator--date">
				 @ 			</span>
			<span class="tribe-events-schedule__time tribe-events-schedule__time--start">
							</span>
		
			</p>
</div>
`;

const VENUE = `<div  class="tribe-block tribe-block__venue tribe-clearfix" >
	
		
	</div>
`;

export const BLOCKS = {
  'tribe/event-datetime': () => DATETIME,
  'tribe/event-venue': () => VENUE,
};
