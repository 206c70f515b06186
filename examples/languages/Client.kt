// Needs Gson. With Moshi or kotlinx.serialization, write an adapter for `image` and `venue`.
import com.google.gson.Gson
import com.google.gson.JsonElement
import java.net.HttpURLConnection
import java.net.URL

const val EVENTS = "http://127.0.0.1:8080/wp-json/tribe/events/v1/events"

// Gson's JsonElement accepts an object, false and [].
class Event(val title: String, val image: JsonElement, val venue: JsonElement, val all_day: Boolean?)

class Page(val events: List<Event>)

fun JsonElement.text(member: String): String? = if (isJsonObject) asJsonObject[member].asString else null

fun page(number: Int): List<Event>? {
    val connection = URL("$EVENTS?page=$number&per_page=10").openConnection() as HttpURLConnection
    return when (connection.responseCode) {
        200 -> Gson().fromJson(connection.inputStream.reader(), Page::class.java).events
        404 -> null // past the last page
        else -> error("The calendar responded with ${connection.responseCode}")
    }
}

fun main() {
    val events = generateSequence(1) { it + 1 }.map(::page).takeWhile { it != null }.flatMap { it!!.asSequence() }.toList()
    println("image ${events.count { it.image.text("url") == null }} of ${events.size}") // false: no image
    println("venue ${events.count { it.venue.text("venue") == null }} of ${events.size}") // []: no venue
    println("all_day ${events.count { it.all_day == null }} of ${events.size}") // null: protected by a password
}
