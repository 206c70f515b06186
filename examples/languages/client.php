<?php
const EVENTS = 'http://127.0.0.1:8080/wp-json/tribe/events/v1/events';

function all_events(): Generator
{
    $context = stream_context_create(['http' => ['ignore_errors' => true, 'timeout' => 10]]);
    for ($page = 1; ; $page++) {
        $body = json_decode(file_get_contents(EVENTS . "?page=$page&per_page=10", false, $context), true, 512, JSON_THROW_ON_ERROR);
        if (($body['data']['status'] ?? 200) === 404) { // past the last page
            return;
        }
        if (!isset($body['events'])) {
            throw new RuntimeException($body['message']);
        }
        yield from $body['events'];
    }
}

$simplify = fn (array $event): array => [
    'title' => $event['title'],
    'image' => $event['image'] ? $event['image']['url'] : null, // false: no image
    'venue' => $event['venue'] ? $event['venue']['venue'] : null, // []: no venue
    'all_day' => $event['all_day'], // null: protected by a password
];

$events = array_map($simplify, iterator_to_array(all_events(), false));
foreach (['image', 'venue', 'all_day'] as $field) {
    echo "$field ", count(array_filter($events, fn ($event) => $event[$field] === null)), ' of ', count($events), "\n";
}
